package io.ballast.dns.forward.filter;

/** What is answered for a blocked name. */
public enum BlockAnswer {

    /** What the configuration says; almost all rules leave it to that. */
    CONFIGURED,

    /** That the name does not exist. */
    NXDOMAIN,

    /** That the name has no such records. */
    NODATA,

    /** The addresses of the rule: {@link FilterTable#addresses}. */
    ADDRESS;

    private static final BlockAnswer[] ALL = values();

    static BlockAnswer of(int ordinal) {
        return ALL[ordinal];
    }
}
