function run()
  local n, v, count = 600000, {}, 0
  for i = 0, n do v[i] = true end
  for i = 2, n do
    if v[i] then
      count = count + 1
      for j = i * i, n, i do v[j] = false end
    end
  end
  return count
end
expected = 49098
