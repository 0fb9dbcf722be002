package io.ballast.dns.answer;

/**
 * What a name leads to (<a href="https://datatracker.ietf.org/doc/html/rfc1034#section-4.3.2">RFC 1034 section
 * 4.3.2</a>). That of a name with a {@link NameEntry} was found out once; for other names a thread fills in one of its own.
 *
 * <p>Thread safety: immutable, but for one that was made to be filled in, which is confined to one thread.
 */
public final class Place {

    private static final Zone NOWHERE = new Zone(0, 0);

    private Kind kind;
    private Zone zone;
    private int ownerBytes;
    private int index;

    /** How a name comes to its answer. */
    public enum Kind {
        /** It exists: its answers, or NODATA. */
        NAME,
        /** It does not exist, and a wildcard stands for it: the answers of that, or NODATA. */
        WILDCARD,
        /** It lies at or below a delegation: the servers there know. */
        DELEGATION,
        /** It lies below a DNAME record. */
        REWRITTEN,
        /** NXDOMAIN. */
        MISSING
    }

    /**
     * @param zone in whose authority it lies
     * @param ownerBytes length on the wire of the name that has the answers: the name itself, or one above it
     * @param index of that name's answers in the {@link ZoneTable}
     */
    public Place(Kind kind, Zone zone, int ownerBytes, int index) {
        this.kind = kind;
        this.zone = zone;
        this.ownerBytes = ownerBytes;
        this.index = index;
    }

    /** One to be filled in. */
    Place() {
        this(Kind.MISSING, NOWHERE, 0, 0);
    }

    /** Fills it in. */
    Place set(Kind nextKind, Zone nextZone, int nextOwnerBytes, int nextIndex) {
        kind = nextKind;
        zone = nextZone;
        ownerBytes = nextOwnerBytes;
        index = nextIndex;
        return this;
    }

    Kind kind() {
        return kind;
    }

    Zone zone() {
        return zone;
    }

    int ownerBytes() {
        return ownerBytes;
    }

    int index() {
        return index;
    }
}
