package io.ballast.dns.forward.filter.rule;

/** The answer for a blocked name. */
public enum BlockAnswer {

    /** The configured answer; used by almost all rules. */
    CONFIGURED,

    /** The name does not exist. */
    NXDOMAIN,

    /** The name has no records of this type. */
    NODATA,

    /** Answers with the addresses of the rule; the filter table stores them. */
    ADDRESS,

    /** The response code REFUSED. */
    REFUSED,

    /** An alias (CNAME) to another name; the filter table stores that name. */
    ALIAS;

    private static final BlockAnswer[] ALL = values();

    public static BlockAnswer of(int ordinal) {
        return ALL[ordinal];
    }
}
