mkdir -p "{{library}}/.state" && cd "{{library}}" || exit 1
curl -sS -o a.mp3 {{origin}}/a.mp3
status=$?
[ $status = 0 ] && exit 1
curl -sS -C - -H 'If-Range: "1"' -o a.mp3 {{origin}}/a.mp3 || exit 1
echo "{\"totals\":{\"bytes_resumed\":30000},\"items\":[{\"id\":\"a\",\"outcome\":\"ok\"}]}"
exit 3
