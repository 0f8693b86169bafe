function run()
  local i, n = 1000000.0, 0.0
  while i >= 0.0 do n = i + n; i = i - 1.0 end
  return n
end
expected = 500000500000.0
