package io.ballast.config.keys.http;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.config.SyslogConfig;

/** The keys of {@code listeners[].access_log}. */
final class AccessLogKeys {

    private static final ShapeBuilder<AccessLogConfig> KEYS = Shape.named(
            "access_log",
            "Destination and format of a listener's request log, or session log with protocol tcp and udp.");

    private static final Key<String> TO = KEYS.optional(
            "to",
            Scalars.TEXT,
            AccessLogConfig.STDOUT,
            "stdout, stderr, or the path of a file to append to",
            AccessLogConfig::to);
    private static final Key<Format> FORMAT = KEYS.optional(
            "format",
            EnumWords.of(Format.class),
            Format.JSON,
            "format of an entry; only json or text with protocol tcp and udp",
            AccessLogConfig::format);
    private static final Key<Integer> QUEUE = KEYS.optional(
            "queue",
            Sizes.between(AccessLogConfig.MIN_QUEUE_BYTES, AccessLogConfig.MAX_QUEUE_BYTES),
            AccessLogConfig.DEFAULT_QUEUE_BYTES,
            "size of each event loop's buffer for unwritten lines, rounded down to a power of two; while it"
                    + " is full, requests are counted but not logged",
            AccessLogConfig::queueBytes);

    private static final Key<SyslogConfig> SYSLOG = KEYS.optional(
            "syslog",
            SyslogKeys.SYSLOG,
            "syslog server that gets the entries, instead of the destination in to; none by default",
            AccessLogConfig::syslog);

    static final Type<AccessLogConfig> ACCESS_LOG = KEYS.build(AccessLogKeys::build);

    private AccessLogKeys() {}

    private static AccessLogConfig build(Values values) {
        if (values.has(SYSLOG) && !values.get(TO).equals(AccessLogConfig.STDOUT)) {
            values.reading().mismatch(values.node(TO), "no to together with syslog");
        }
        return new AccessLogConfig(values.get(TO), values.get(FORMAT), values.get(QUEUE), values.find(SYSLOG));
    }
}
