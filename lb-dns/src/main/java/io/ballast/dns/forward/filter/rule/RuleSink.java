package io.ballast.dns.forward.filter.rule;

/** Receives the parsed lines of a list. Confined to the parsing thread. */
interface RuleSink {

    void onRule(FilterRule rule);

    void onRefused(RefusedLine line);

    /** Receives an accepted rule that probably covers more names or addresses than intended. */
    void onBroad(BroadRule rule);

    /** Receives a browser rule about elements of web pages, which does not apply to DNS. */
    void onCosmetic();
}
