-- lists are {head, tail}, as in the Scheme program
local function append(a, b) if not a then return b end return {a[1], append(a[2], b)} end
local function ok(row, dist, placed)
  if not placed then return true end
  local p = placed[1]
  return p ~= row + dist and p ~= row - dist and ok(row, dist + 1, placed[2])
end
local function try(x, y, z)
  if not x then return y and 0 or 1 end
  local here = ok(x[1], 1, z) and try(append(x[2], y), nil, {x[1], z}) or 0
  return here + try(x[2], {x[1], y}, z)
end
function run()
  local l for i = 9, 1, -1 do l = {i, l} end
  return try(l, nil, nil)
end
expected = 352
