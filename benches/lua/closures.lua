local function counter() local n = 0 return function(k) n = n + k return n end end
local function compose(f, g) return function(x) return f(g(x)) end end
local function rep(f, n)
  if n == 0 then return function(x) return x end end
  return compose(f, rep(f, n - 1))
end
function run()
  local c, f = counter(), rep(function(x) return x + 1 end, 100)
  for i = 0, 3999 do c(f(i) - i) end
  return c(0)
end
expected = 400000
