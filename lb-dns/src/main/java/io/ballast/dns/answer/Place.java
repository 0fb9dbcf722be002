package io.ballast.dns.answer;

/**
 * What a name leads to, found out once for every name that exists and for all that do not exist below it (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1034#section-4.3.2">RFC 1034 section 4.3.2</a>).
 *
 * @param zone in whose authority it lies
 * @param ownerBytes length on the wire of the name that has the answers: the name itself, or one above it
 * @param index of that name's answers in the {@link AnswerTable}
 */
public record Place(Kind kind, Zone zone, int ownerBytes, int index) {

    /** How a name comes to its answer. */
    public enum Kind {
        /** It exists, or a wildcard stands for it: its answers, or NODATA. */
        NAME,
        /** It lies at or below a delegation: the servers there know. */
        DELEGATION,
        /** It lies below a DNAME record. */
        REWRITTEN,
        /** NXDOMAIN. */
        MISSING
    }
}
