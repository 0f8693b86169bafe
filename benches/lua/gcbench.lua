local function make(d) if d == 0 then return {} end return {make(d - 1), make(d - 1)} end
local function count(t) if not t[1] then return 1 end return 1 + count(t[1]) + count(t[2]) end
function run()
  local long, r = make(14), 0
  for _ = 1, 150 do r = r + count(make(10)) end
  return r + count(long)
end
expected = 339817
