{{syncjob}} -q car.yaml && rm -r library/.syncjob library/mix.m3u8 || exit
sum=$(sha256sum library/mix/A.mp3 | cut -c 1-64) && size=$(stat -c %s library/mix/B.mp3) || exit
sed -e "/id: a/a\\        checksum: sha256:$sum" -e "/id: b/a\\        size: $size" car.yaml >exact.yaml
