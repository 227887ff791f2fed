# The steps on a real exFAT file system, which holds names for one that differ by case.
set -e
truncate -s 16M image
mkfs.exfat image >mkfs.log
mkdir -p library
device=$(losetup --find --show image)
mount.exfat-fuse "$device" library >mount.log
trap 'umount library; losetup -d "$device"; cp -r kept/. library' EXIT
for manifest in one two three; do
  {{syncjob}} -q --events "$manifest.events" "$manifest.yaml"
  find library -name '*.mp3' | LC_ALL=C sort
done
{{syncjob}} three.yaml
cp -r library kept
