package io.ballast.dns.forward.filter.rule;

/**
 * The client and the type of a query, against which the conditions of rules ({@code $client}, {@code
 * $dnstype}) are checked. Names in answers are checked without a client, because clients share answers.
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query so that nothing is allocated.
 */
public final class RuleContext {

    private int type;
    private long high;
    private long low;
    /** The name of the client's group; empty if there is no client. */
    private String group = "";

    /** Sets the query of a client with an address in the form of {@link io.ballast.core.net.IpAddress}. */
    public RuleContext setQuery(int queriedType, long clientHigh, long clientLow, String clientGroup) {
        type = queriedType;
        high = clientHigh;
        low = clientLow;
        group = clientGroup;
        return this;
    }

    /**
     * Prepares this context for the rules about an answer to a query of this type. No client is set, because all
     * clients share the answer.
     */
    public RuleContext setAnswer(int queriedType) {
        return setQuery(queriedType, /* clientHigh= */ 0, /* clientLow= */ 0, /* clientGroup= */ "");
    }

    int type() {
        return type;
    }

    boolean hasClient() {
        return !group.isEmpty();
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    String group() {
        return group;
    }
}
