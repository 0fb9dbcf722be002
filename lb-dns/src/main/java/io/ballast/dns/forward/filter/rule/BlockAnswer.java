package io.ballast.dns.forward.filter.rule;

/** The answer for a blocked name. */
public enum BlockAnswer {

    /** The configured answer; used by almost all rules. */
    CONFIGURED,

    /** The name does not exist. */
    NXDOMAIN,

    /** The name has no records of this type. */
    NODATA,

    /** The addresses of the rule, kept in the filter table. */
    ADDRESS,

    /** REFUSED. */
    REFUSED,

    /** Another name as the target of an alias, kept in the filter table. */
    ALIAS;

    private static final BlockAnswer[] ALL = values();

    public static BlockAnswer of(int ordinal) {
        return ALL[ordinal];
    }
}
