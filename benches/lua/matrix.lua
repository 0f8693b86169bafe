local function make(n, f)
  local m = {}
  for i = 0, n - 1 do
    local row = {}
    for j = 0, n - 1 do row[j] = f(i, j) end
    m[i] = row
  end
  return m
end
function run()
  local n = 90
  local a = make(n, function(i, j) return i - j end)
  local b = make(n, function(i, j) return i + j end)
  local c = make(n, function(i, j)
    local row, sum = a[i], 0
    for k = 0, n - 1 do sum = sum + row[k] * b[k][j] end
    return sum
  end)
  return c[3][4]
end
expected = -241890
