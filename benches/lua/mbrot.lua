local function escape(cr, ci)
  local zr, zi = cr, ci
  for n = 0, 63 do
    local zr2, zi2 = zr * zr, zi * zi
    if zr2 + zi2 > 4.0 then return n end
    zr, zi = zr2 - zi2 + cr, 2.0 * zr * zi + ci
  end
  return 64
end
function run()
  local inside = 0
  for y = 0, 74 do for x = 0, 74 do
    if escape(-1.5 + x * 0.025, -1.0 + y * 0.025) == 64 then inside = inside + 1 end
  end end
  return inside
end
expected = 2486
