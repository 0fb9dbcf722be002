package io.ballast.dns.answer.data;

/**
 * The result of a name lookup (<a href="https://datatracker.ietf.org/doc/html/rfc1034#section-4.3.2">RFC 1034
 * section 4.3.2</a>). The result for a name with a {@link NameEntry} is precomputed. For other names, each
 * thread fills in its own reusable object.
 *
 * <p>Thread safety: immutable, except for reusable objects, which are confined to one thread.
 */
public final class NameLookupResult {

    private static final Zone NOWHERE = new Zone(0, 0);

    private Kind kind;
    private Zone zone;
    private int ownerBytes;
    private int index;

    /** How the name was found. */
    public enum Kind {
        /** The name exists; the response has its records or is NODATA. */
        NAME,
        /** The name does not exist, but a wildcard matches; the response has the wildcard's records or is NODATA. */
        WILDCARD,
        /** The name is at or below a delegation; the response is a referral. */
        DELEGATION,
        /** The name is below a DNAME record. */
        REWRITTEN,
        /** The name does not exist; the response is NXDOMAIN. */
        MISSING
    }

    /**
     * @param zone the authoritative zone
     * @param ownerBytes wire length of the name whose answers apply: the queried name or a name above it
     * @param index index of that name's answers in the {@link ZoneTable}
     */
    public NameLookupResult(Kind kind, Zone zone, int ownerBytes, int index) {
        this.kind = kind;
        this.zone = zone;
        this.ownerBytes = ownerBytes;
        this.index = index;
    }

    /** Creates a reusable object. */
    public NameLookupResult() {
        this(Kind.MISSING, NOWHERE, 0, 0);
    }

    /** Sets all fields and returns this object. */
    public NameLookupResult set(Kind nextKind, Zone nextZone, int nextOwnerBytes, int nextIndex) {
        kind = nextKind;
        zone = nextZone;
        ownerBytes = nextOwnerBytes;
        index = nextIndex;
        return this;
    }

    public Kind kind() {
        return kind;
    }

    public Zone zone() {
        return zone;
    }

    public int ownerBytes() {
        return ownerBytes;
    }

    public int index() {
        return index;
    }
}
