package io.ballast.dns.forward.filter.rule;

/** Takes what the lines of a list say. Confined to the thread that parses. */
interface RuleSink {

    void rule(FilterRule rule);

    void refused(RefusedLine line);

    /** A rule that was taken is about more than its author may have meant. */
    void broad(BroadRule rule);

    /** A line for browsers, about elements of pages, that means nothing to DNS. */
    void cosmetic();
}
