package io.ballast.dns.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The dnstap output: queries and responses as whole messages, written to a socket or a file.
 *
 * @param socket the path of the reader's Unix socket
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

    /** The types of messages, by their names in dnstap. */
    public enum MessageKind {
        /** A query for a name inside a zone, or one that is refused because there is no such zone. */
        AUTH_QUERY,
        /** Its answer. */
        AUTH_RESPONSE,
        /** A query that may be forwarded to resolvers. */
        CLIENT_QUERY,
        /** Its answer. */
        CLIENT_RESPONSE
    }
}
