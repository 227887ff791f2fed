// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The tags of a checked partial, with its picture and its chapters. Whatever fails here is a warning, and the file is
/// published.
extension Downloader {
  /// Writes the item's tags into a copy of the checked partial. A file that cannot be tagged is published as it is.
  func tag(_ file: CheckedFile, _ partial: PartialDownload, of id: ItemID) {
    guard let download = transfers[id]?.download else { return post(.prepared(file), to: id) }
    Task {
      let prepared = await tagged(file, partial, download)
      // The copy of a transfer that was stopped meanwhile is of no use.
      guard transfers.contains(id) else { return publisher.discardCopy(of: partial) }
      post(.prepared(prepared), to: id)
    }
  }

  private func tagged(
    _ file: CheckedFile, _ partial: PartialDownload, _ download: PlannedDownload
  ) async -> CheckedFile {
    if settings.tags.policy.artwork == .folder { await putCover(download, file) }
    guard writingProblem == nil, settings.tags.policy.changesFiles else { return file }
    var fields = TagFields(download.item, settings.tags.policy.mode)
    if settings.tags.policy.artwork == .embed { await addPicture(of: download, to: &fields) }
    if settings.tags.policy.chapters == .embed { await addChapters(of: download, file, to: &fields) }
    do throws(TagProblem) {
      let (tagged, failure) = try await publisher.tag(file, partial, fields, settings.tags)
      if let failure { emit(.warned(.notTagged(title: download.item.title, failure))) }
      return tagged
    } catch {
      if writingProblem == nil { emit(.warned(.tagsNotWritten(error))) }
      writingProblem = error
      return file
    }
  }

  private var attachmentsInUse: TagAttachments {
    let used = attachments ?? TagAttachments(CurlSourceFetcher(client), publisher)
    attachments = used
    return used
  }

  // MARK: Pictures

  /// Adds the picture of the item, otherwise that of its source.
  private func addPicture(of download: PlannedDownload, to fields: inout TagFields) async {
    guard let details = download.item.details, let url = details.image ?? details.sourceImage else { return }
    do throws(AttachmentFailure) {
      let picture = try await attachmentsInUse.picture(
        at: url, for: download.playlists.first, isFromSource: isFromSource(url, download))
      if let picture { fields.add(picture: publisher.path(of: picture)) }
    } catch { warn(.picture, download, error) }
  }

  /// Adds the chapters that the source lists, otherwise those of the document that it names.
  private func addChapters(of download: PlannedDownload, _ file: CheckedFile, to fields: inout TagFields) async {
    guard let details = download.item.details, !details.marks.isEmpty || details.chapters != nil else { return }
    guard publisher.takesChapters(file) else {
      return warn(.chapters, download, .noPlace(fileExtension: file.fileExtension))
    }
    if !details.marks.isEmpty { return fields.add(chapters: details.marks.sorted { $0.start < $1.start }) }
    guard let url = details.chapters else { return }
    do throws(AttachmentFailure) {
      let chapters = try await attachmentsInUse.chapters(
        at: url, for: download.playlists.first, isFromSource: isFromSource(url, download))
      fields.add(chapters: chapters)
    } catch { warn(.chapters, download, error) }
  }

  /// Puts the picture of the source, otherwise that of the item, into the folder of the item's file.
  private func putCover(_ download: PlannedDownload, _ file: CheckedFile) async {
    guard let details = download.item.details, let url = details.sourceImage ?? details.image,
      let folder = publisher.folder(of: download, file)
    else { return }
    do throws(AttachmentFailure) {
      try await attachmentsInUse.cover(
        of: folder, from: url, for: download.playlists.first, isFromSource: isFromSource(url, download))
    } catch { warn(.picture, download, error) }
  }

  /// False for a server that the manifest names, which may be in a private network.
  private func isFromSource(_ url: RemoteURL, _ download: PlannedDownload) -> Bool {
    !settings.isOfServer(download) || url.host != download.task.candidates[0].candidate.url.host
  }

  private func warn(_ kind: AttachmentKind, _ download: PlannedDownload, _ failure: AttachmentFailure) {
    // Whoever stops a run knows why something is missing.
    guard !isStopping else { return }
    var failure = failure
    if case .notFetched(let reason) = failure { failure = .notFetched(settings.mask.masked(reason)) }
    emit(.warned(.notAttached(kind, title: download.item.title, failure)))
  }
}
