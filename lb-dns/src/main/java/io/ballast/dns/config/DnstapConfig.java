package io.ballast.dns.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The dnstap output: complete query and response messages, written to a socket or a file.
 *
 * @param socket the path of the Unix socket on which the reader listens
 * @param file the output file
 * @param rotate the rotation of the file
 * @param identity the name of this server, {@value DnsConfig#HOST_NAME} for the machine's name; "" for none
 * @param version the software version; "" for none
 * @param messages the types of messages
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

    /** Returns a copy with this server name. */
    public DnstapConfig withIdentity(String name) {
        return new DnstapConfig(socket, file, rotate, name, version, messages);
    }

    /** The types of messages, with the names that dnstap uses. */
    public enum MessageKind {
        /** A query for a name inside a zone, or a query that is refused because no zone contains the name. */
        AUTH_QUERY,
        /** The answer to an {@link #AUTH_QUERY}. */
        AUTH_RESPONSE,
        /** A query that may be forwarded to resolvers. */
        CLIENT_QUERY,
        /** The answer to a {@link #CLIENT_QUERY}. */
        CLIENT_RESPONSE
    }
}
