-- Sends requests with the header X-Key: numbers from FIRST on, COUNT different ones, then from FIRST on again. With
-- "once", stops after the last one. Arguments: FIRST COUNT [once].
local directory = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(directory .. "report.lua")

local first, count, sent, answered = 0, 1, 0, 0

function init(arguments)
    first, count = tonumber(arguments[1]), tonumber(arguments[2])
    if arguments[3] == "once" then
        response = function()
            answered = answered + 1
            if answered == count then
                wrk.thread:stop()
            end
        end
    end
end

function request()
    wrk.headers["X-Key"] = string.format("key-%d", first + sent % count)
    sent = sent + 1
    return wrk.format()
end
