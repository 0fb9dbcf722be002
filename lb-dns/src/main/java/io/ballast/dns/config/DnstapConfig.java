package io.ballast.dns.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where queries and their answers are told of as dnstap, as whole messages. One place: a socket or a file.
 *
 * @param socket of the reader, at a path in the file system
 * @param file to which they are written
 * @param rotate when the file is set aside
 * @param identity what this server calls itself, {@value DnsConfig#HOST_NAME} by the machine's name; "" for nothing
 * @param version what is told of the software; "" for nothing
 * @param messages which are told of
 */
public record DnstapConfig(
        Optional<Path> socket,
        Optional<Path> file,
        LogRotation rotate,
        String identity,
        String version,
        Set<MessageKind> messages) {

    public DnstapConfig {
        messages = Set.copyOf(messages);
    }

    /** What is told of, by the names of dnstap. */
    public enum MessageKind {
        /** A query for a name inside a zone, or one that is refused because there is no such zone. */
        AUTH_QUERY,
        /** Its answer. */
        AUTH_RESPONSE,
        /** A query that resolvers may be asked. */
        CLIENT_QUERY,
        /** Its answer. */
        CLIENT_RESPONSE
    }
}
