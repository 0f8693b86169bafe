local function tak(x, y, z)
  if not (y < x) then return z end
  return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
end
function run() local r for _ = 1, 8 do r = tak(18, 12, 6) end return r end
expected = 7
