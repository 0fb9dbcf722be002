-- Makes wrk print its summary with exact figures. Runs after the load, so it does not affect the measurement.
function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        'ballast-bench {"requests": %d, "microseconds": %d, "bytes": %d, '
            .. '"errors": {"connect": %d, "read": %d, "write": %d, "timeout": %d, "status": %d}, '
            .. '"p50": %d, "p99": %d, "p99_9": %d, "max": %d}\n',
        summary.requests, summary.duration, summary.bytes,
        errors.connect, errors.read, errors.write, errors.timeout, errors.status,
        latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max))
end
