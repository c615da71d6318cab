local t = {}
for i = 1, 2000 do t[i] = (i * 7919) % 1009 end
table.sort(t)
print(t[1], t[1000], t[2000], #t)
print(string.format("%5.2f|%x|%q|%s", 3.14159, 255, "a\nb", tostring(nil)))
print(("hello world"):gsub("o", "0"), ("x=1,y=2"):match("(%w+)=(%w+)"))
print(pcall(function() error({code=7}) end), select(2, pcall(error, "boom", 0)))
local co = coroutine.wrap(function() for i = 1, 5000 do coroutine.yield(i) end end)
local s = 0 for i = 1, 5000 do s = s + co() end print(s)
print(string.pack("<i4d", 42, 1.5):byte(1, -1)); print(utf8.char(228, 8364), math.maxinteger // -1, 7 // 2.0, -7 % 3, 1 << 63, 3 | 4)
local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end print(fib(25))
print(pcall(function() local function f() return f() + 1 end return f() end))
collectgarbage("generational") for i = 1, 20000 do local x = setmetatable({}, {__gc = function() s = s + 1 end}) end collectgarbage() print(s)
print(load(string.dump(function(a, b) return a * b end))(6, 7)); goto done do print("no") end ::done:: print(os.time{year=2020,month=1,day=1,hour=12} > 0, tostring(1e15), 2^53, 10 // 0.0, math.type(3.0))
