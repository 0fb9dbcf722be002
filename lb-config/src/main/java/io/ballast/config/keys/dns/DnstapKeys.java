package io.ballast.config.keys.dns;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.Checks;
import io.ballast.core.config.UnixSocket;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.config.DnstapConfig.MessageKind;
import io.ballast.dns.config.LogRotation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The keys of {@code dns.dnstap}. */
final class DnstapKeys {

    private static final ShapeBuilder<DnstapConfig> KEYS = Shape.named(
            "dnstap",
            "Where queries and answers are sent as [dnstap](https://dnstap.info), as whole messages: to a"
                    + " socket or to a file.");

    private static final Key<Path> SOCKET = KEYS.optional(
            "socket",
            new FileType().map(DnstapKeys::socket, path -> path),
            "the Unix socket on which a reader listens",
            DnstapConfig::socket);
    private static final Key<Path> FILE =
            KEYS.optional("file", new FileType(), "the file to which messages are written", DnstapConfig::file);
    private static final Key<LogRotation> ROTATE = KEYS.optional(
            "rotate", LogRotationKeys.ROTATION, LogRotation.DEFAULT, "when the file is rotated", DnstapConfig::rotate);
    private static final Key<String> IDENTITY = KEYS.optional(
            "identity",
            DnsTexts.NSID,
            DnsConfig.HOST_NAME,
            "server identity in the messages; hostname: the machine's name",
            DnstapConfig::identity);
    private static final Key<String> VERSION = KEYS.optional(
            "version", DnsTexts.NSID, "ballast", "software version in the messages", DnstapConfig::version);
    private static final Key<List<MessageKind>> MESSAGES = KEYS.optional(
            "messages",
            ListType.atLeastOne(EnumWords.of(MessageKind.class))
                    .unique("message", kind -> kind.name().toLowerCase(Locale.ROOT)),
            List.of(MessageKind.values()),
            "which messages are sent: auth_ for names inside the zones, client_ for forwarded names outside"
                    + " the zones",
            config -> config.messages().stream().sorted().toList());

    static {
        KEYS.exactlyOne(SOCKET, FILE);
    }

    static final Type<DnstapConfig> DNSTAP = KEYS.build(values -> new DnstapConfig(
            values.find(SOCKET),
            values.find(FILE),
            values.get(ROTATE),
            values.get(IDENTITY),
            values.get(VERSION),
            Set.copyOf(values.get(MESSAGES))));

    private DnstapKeys() {}

    /** Rejects a path that is longer than the operating system allows for Unix sockets. */
    private static Path socket(Path path) {
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        Checks.that(
                bytes <= UnixSocket.MAX_PATH_BYTES, "socket", path, "at most " + UnixSocket.MAX_PATH_BYTES + " bytes");
        return path;
    }
}
