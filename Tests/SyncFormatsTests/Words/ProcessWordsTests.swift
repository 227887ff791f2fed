// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("words about the process itself")
struct ProcessWordsTests {
  @Test(
    "say what is missing and what to do",
    arguments: [
      (
        ProcessProblem.noArguments, 64,
        "the command line is empty, without even the program's name; nothing was done. Start syncjob from a shell or with execve(2)"
      ),
      (
        .tooFewDescriptors(limit: 1, needed: 24), 1,
        "the process may open only 1 file at a time and needs 24; raise the limit (ulimit -n 24)"
      ),
      (
        .noThreads(.eagain), 1,
        "the system refuses the threads that syncjob needs: too many processes, or too little memory; raise the limit of"
          + " processes (ulimit -u, pids.max) or of memory (ulimit -v), or allow clone3 in the sandbox"
      ),
    ] as [(ProcessProblem, Int32, String)])
  func words(problem: ProcessProblem, status: Int32, words: String) {
    #expect(problem.words == words)
    #expect(problem.status.rawValue == status)
    #expect(JobError.process(problem).words() == words)
    #expect(JobError.process(problem).status == problem.status)
  }

  @Test("a run that deleted the trash in vain says so")
  func stillFull() {
    let error = JobError.stillFull(
      FileError(.create, "/library/probe", code: .enospc), trashFiles: 2, freed: ByteCount(2048))
    #expect(
      error.words().hasSuffix(
        "free some space and run again (2 files of the trash deleted for room, 2.00 KiB, which was not enough)"))
    #expect(error.status == .storage)
  }

  @Test("a secret that is too late is told with its time")
  func lateSecret() {
    #expect(
      SecretProblem.tookTooLong(program: "pass", after: .seconds(30)).words == "\"pass\" did not end within 30 s")
    #expect(
      SecretProblem.noWriter(path: "/p", after: .seconds(30)).words
        == "\"/p\" is not a plain file, and its writer did not finish within 30 s")
  }

  @Test("a run that is cut off says that its state is safe")
  func cutOff() {
    #expect(
      ProcessWords.cutOff
        == "the run did not end in time after the signal and is cut off; its state is safe, and the next run goes on from it"
    )
  }
}
