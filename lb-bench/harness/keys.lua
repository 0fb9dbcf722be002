-- Sends requests with the header X-Key: COUNT different values, again and again. Argument: COUNT.
local directory = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(directory .. "report.lua")

local count, sent = 1, 0

function init(arguments)
    count = tonumber(arguments[1])
end

function request()
    wrk.headers["X-Key"] = string.format("key-%d", sent % count)
    sent = sent + 1
    return wrk.format()
end
