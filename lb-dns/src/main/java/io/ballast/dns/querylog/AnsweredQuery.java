package io.ballast.dns.querylog;

/**
 * An answered query in the log and statistics. Created on the log's thread, not on answering threads.
 *
 * @param epochMillis arrival time
 * @param client address as text, already anonymised; "" if omitted
 * @param transport transport: udp, tcp, dot or doh
 * @param name query name as text, in lower case, without final dot ("." for the root)
 * @param type query type, such as AAAA
 * @param rcode response code, such as NXDOMAIN
 * @param decider name of the zone, filter list or upstream that determined the answer; "" if none
 * @param micros time from the query's arrival to its answer in microseconds
 * @param responseBytes size of the response
 */
public record AnsweredQuery(
        long epochMillis,
        String client,
        String transport,
        String name,
        String type,
        String rcode,
        Outcome outcome,
        String decider,
        long micros,
        int responseBytes) {}
