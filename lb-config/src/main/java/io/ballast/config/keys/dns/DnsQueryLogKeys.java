package io.ballast.config.keys.dns;

import static io.ballast.dns.config.DnsQueryLogConfig.DEFAULT;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import io.ballast.dns.config.LogRotation;
import java.nio.file.Path;
import java.util.Map;

/** The keys of {@code dns.query_log}. */
final class DnsQueryLogKeys {

    private static final String RATIO_PREFIX = "1/";

    private static final ShapeBuilder<DnsQueryLogConfig> KEYS =
            Shape.named("dns_query_log", "How answered queries are logged.");

    private static final Key<Path> FILE = KEYS.optional(
            "file", new FileType(), "the file to which queries are appended; none by default", DnsQueryLogConfig::file);
    private static final Key<Format> FORMAT = KEYS.optional(
            "format",
            EnumWords.of(Format.class),
            DEFAULT.format(),
            "format of the file, with one entry per line",
            DnsQueryLogConfig::format);
    private static final Key<LogRotation> ROTATE = KEYS.optional(
            "rotate",
            LogRotationKeys.ROTATION,
            DEFAULT.rotate(),
            "when the file is rotated",
            DnsQueryLogConfig::rotate);
    private static final Key<Boolean> AUTHORITY = KEYS.optional(
            "authority",
            Scalars.BOOLEAN,
            DEFAULT.authority(),
            "whether to log queries answered from zones too, and queries refused because no zone matches",
            DnsQueryLogConfig::authority);
    private static final Key<Clients> CLIENTS = KEYS.optional(
            "clients",
            EnumWords.of(Clients.class),
            DEFAULT.clients(),
            "how clients are recorded in all logs, statistics and dnstap: by address, by network"
                    + " (anonymous: /24 and /48), or not at all",
            DnsQueryLogConfig::clients);
    private static final Key<Integer> SAMPLE = KEYS.optional(
            "sample",
            Scalars.matching("sample", "1/1 to 1/1000000", "1/([1-9][0-9]{0,5}|1000000)")
                    .map(
                            text -> Integer.valueOf(text.substring(RATIO_PREFIX.length())),
                            number -> RATIO_PREFIX + number),
            DEFAULT.sample(),
            "sampling rate: with 1/N, one query in N is logged",
            DnsQueryLogConfig::sample);
    private static final Key<Integer> MEMORY = KEYS.optional(
            "memory",
            Scalars.integer(0, DnsQueryLogConfig.MAX_MEMORY),
            DEFAULT.memory(),
            "number of queries that are kept in memory",
            DnsQueryLogConfig::memory);

    private static final Type<DnsQueryLogConfig> FULL = KEYS.build(values -> new DnsQueryLogConfig(
            /* enabled= */ true,
            values.find(FILE),
            values.get(FORMAT),
            values.get(ROTATE),
            values.get(AUTHORITY),
            values.get(CLIENTS),
            values.get(SAMPLE),
            values.get(MEMORY)));

    static final Type<DnsQueryLogConfig> QUERY_LOG = new BriefType<>(
            Scalars.choice(Map.of("off", DnsQueryLogConfig.OFF), off -> "off"), FULL, config -> !config.enabled());

    private DnsQueryLogKeys() {}
}
