package io.ballast.dashboard;

import java.time.Instant;

/**
 * One answered query of the DNS frontend's log.
 *
 * @param client its address as the log has it, perhaps without its last part; empty if that is left out
 * @param transport what brought it, such as {@code udp}
 * @param name in lower case, without the final dot; {@code .} for the root
 * @param outcome how it was answered, such as {@code hit}
 * @param by the zone, list or resolver that decided; empty if none did
 * @param micros from its arrival to its answer
 * @param bytes of the response
 */
public record LoggedQuery(
        Instant time,
        String client,
        String transport,
        String name,
        String type,
        String rcode,
        String outcome,
        String by,
        long micros,
        int bytes) {}
