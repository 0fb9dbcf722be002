package io.ballast.config.keys.http;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.CaFiles;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.Checks;
import io.ballast.http.config.SyslogConfig;
import io.ballast.http.config.SyslogConfig.Facility;
import io.ballast.http.config.SyslogServer;
import io.ballast.http.config.SyslogTls;
import io.ballast.net.fetch.CaFile;
import java.nio.file.Path;
import java.util.List;

/** The keys of {@code listeners[].access_log.syslog}. */
final class SyslogKeys {

    private static final ShapeBuilder<SyslogConfig> KEYS = Shape.named(
            "syslog",
            "A syslog server (RFC 5424) that gets each entry of an access log as a message. Messages that cannot be"
                    + " sent are counted.");

    private static final Key<SyslogServer> ADDRESS = KEYS.required(
            "address",
            Scalars.TEXT.map(SyslogServer::parse, SyslogServer::toString),
            "udp://, tcp:// or tls://, the IP address and the port; over TCP and TLS each message is preceded by its"
                    + " length (RFC 6587, RFC 5425)",
            SyslogConfig::server);
    private static final Key<Facility> FACILITY = KEYS.optional(
            "facility",
            EnumWords.of(Facility.class),
            Facility.LOCAL0,
            "part of the system that the messages belong to",
            SyslogConfig::facility);
    private static final Key<String> APP_NAME = KEYS.optional(
            "app_name",
            Scalars.matching("name", "1 to 48 characters of printable ASCII", "[!-~]{1,48}"),
            SyslogConfig.DEFAULT_APP_NAME,
            "name of the program in the messages",
            SyslogConfig::appName);
    private static final Key<String> HOSTNAME = KEYS.optional(
            "hostname",
            Scalars.matching("name", "1 to 255 characters of printable ASCII", "[!-~]{1,255}"),
            "name of the system in the messages; default: its host name",
            SyslogConfig::hostname);
    private static final Key<Integer> MAX_SIZE = KEYS.optional(
            "max_size",
            Sizes.between(SyslogConfig.MIN_MAX_BYTES, SyslogConfig.MAX_MAX_BYTES),
            SyslogConfig.DEFAULT_MAX_BYTES,
            "maximum length of a message; longer messages are truncated",
            SyslogConfig::maxBytes);

    private static final Key<Path> CA_FILE = KEYS.optional(
            "ca_file",
            new FileType(),
            "PEM file with the CA certificates that verify the server; only with tls://; read at startup and at each"
                    + " reload; default: those of the Java runtime",
            syslog -> syslog.tls().ca().map(CaFile::file));
    private static final Key<String> SERVER_NAME = KEYS.optional(
            "server_name",
            Scalars.TEXT,
            "host name in the certificate of the server; only with tls://; its IP address by default",
            syslog -> syslog.tls().serverName());

    static final Type<SyslogConfig> SYSLOG = KEYS.build(SyslogKeys::build);

    private SyslogKeys() {}

    private static SyslogConfig build(Values values) {
        boolean isTls = values.get(ADDRESS).transport() == SyslogServer.Transport.TLS;
        for (Key<?> key : List.of(CA_FILE, SERVER_NAME)) {
            Checks.that(isTls || !values.has(key), key.name(), "", "only with tls://");
        }
        return new SyslogConfig(
                values.get(ADDRESS),
                values.get(FACILITY),
                values.get(APP_NAME),
                values.find(HOSTNAME),
                values.get(MAX_SIZE),
                new SyslogTls(CaFiles.read(values, CA_FILE), values.find(SERVER_NAME)));
    }
}
