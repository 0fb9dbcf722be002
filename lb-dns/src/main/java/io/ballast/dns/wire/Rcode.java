package io.ballast.dns.wire;

/** Response codes. They have twelve bits; the upper eight bits are in the OPT record. */
public final class Rcode {

    public static final int NOERROR = 0;
    public static final int FORMERR = 1;
    public static final int SERVFAIL = 2;
    public static final int NXDOMAIN = 3;
    public static final int NOTIMP = 4;
    public static final int REFUSED = 5;
    public static final int YXDOMAIN = 6;
    public static final int YXRRSET = 7;
    public static final int NXRRSET = 8;
    public static final int NOTAUTH = 9;
    public static final int NOTZONE = 10;
    public static final int BADVERS = 16;
    public static final int BADCOOKIE = 23;

    private Rcode() {}
}
