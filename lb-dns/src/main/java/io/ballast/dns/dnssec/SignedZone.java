package io.ballast.dns.dnssec;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.key.SigningKey;
import io.ballast.dns.dnssec.key.ZoneKeySet;
import io.ballast.dns.wire.RecordType;
import java.util.Arrays;
import java.util.List;

/**
 * A signed zone with a fixed set of keys: its signing parameters, and the records derived from its keys.
 *
 * <p>Thread safety: immutable. Compared by identity: the signatures of one instance are not reused for the
 * next instance.
 */
public final class SignedZone {

    /** RDATA of the NSEC3PARAM record: SHA-1, no flags, no iterations, no salt (RFC 9276). */
    private static final byte[] NSEC3PARAM = {Nsec3Hash.SHA_1, 0, 0, 0, 0};

    private final byte[] apex;
    private final DnssecConfig config;
    private final ZoneKeySet keys;
    private final int negativeTtlSeconds;
    private final TypeBitmap emptyBitmap;
    private final TypeBitmap missingNameBitmap;

    /**
     * @param apex zone name in lower case and wire format
     * @param negativeTtlSeconds TTL of negative answers and of their proofs (<a
     *     href="https://datatracker.ietf.org/doc/html/rfc9077">RFC 9077</a>)
     */
    public SignedZone(byte[] apex, DnssecConfig config, ZoneKeySet keys, int negativeTtlSeconds) {
        this.apex = apex.clone();
        this.config = config;
        this.keys = keys;
        this.negativeTtlSeconds = negativeTtlSeconds;
        this.emptyBitmap = TypeBitmap.of();
        this.missingNameBitmap = TypeBitmap.of(DnssecRecordType.RRSIG, DnssecRecordType.NSEC, DnssecRecordType.NXNAME);
    }

    /** Whether the zone uses NSEC3 to prove that a name does not exist. Such names are answered with NXDOMAIN. */
    public boolean usesNsec3() {
        return config.denial() == DnssecConfig.Denial.NSEC3;
    }

    /** Whether queries for the zone must not be answered, because the keys of the cluster are not known yet. */
    public boolean isWithheld() {
        return keys.isWithheld();
    }

    /** The signing key. */
    SigningKey signer() {
        return keys.active();
    }

    /** The zone name in lower case and wire format; must not be changed. */
    byte[] apex() {
        return apex;
    }

    long validitySeconds() {
        return config.validity().toSeconds();
    }

    int negativeTtlSeconds() {
        return negativeTtlSeconds;
    }

    /** The bitmap of the NSEC record of a non-existent name (RFC 9824 section 3.1). */
    TypeBitmap missingNameBitmap() {
        return missingNameBitmap;
    }

    /**
     * The type bitmap of an NSEC3 record that covers hashes but matches no existing name: it contains no types.
     */
    TypeBitmap emptyBitmap() {
        return emptyBitmap;
    }

    /**
     * Returns the bitmap of an existing name, including the types that signing adds.
     *
     * @param types types of the name; none for an empty non-terminal; NS and DS at a delegation
     */
    public TypeBitmap bitmap(int... types) {
        int[] all = Arrays.copyOf(types, types.length + 2);
        if (usesNsec3()) {
            boolean unsigned = types.length == 0 || (types.length == 1 && types[0] == RecordType.NS);
            return TypeBitmap.of(unsigned ? types : withLast(all, DnssecRecordType.RRSIG, DnssecRecordType.RRSIG));
        }
        return TypeBitmap.of(withLast(all, DnssecRecordType.RRSIG, DnssecRecordType.NSEC));
    }

    private static int[] withLast(int[] types, int one, int other) {
        types[types.length - 2] = one;
        types[types.length - 1] = other;
        return types;
    }

    /** The record sets that signing adds at the zone apex: DNSKEY, CDS, CDNSKEY, NSEC3PARAM. */
    public List<KeyRecords> keyRecords() {
        int ttl = (int) config.keyTtl().toSeconds();
        List<byte[]> dnskeys = keys.visible().stream().map(SigningKey::dnskey).toList();
        List<byte[]> ds = keys.visible().stream().map(key -> key.ds(apex)).toList();
        KeyRecords dnskey = new KeyRecords(DnssecRecordType.DNSKEY, ttl, dnskeys);
        KeyRecords cds = new KeyRecords(DnssecRecordType.CDS, ttl, ds);
        KeyRecords cdnskey = new KeyRecords(DnssecRecordType.CDNSKEY, ttl, dnskeys);
        return usesNsec3()
                ? List.of(dnskey, cds, cdnskey, new KeyRecords(DnssecRecordType.NSEC3PARAM, 0, List.of(NSEC3PARAM)))
                : List.of(dnskey, cds, cdnskey);
    }

    /**
     * A record set at the zone apex.
     *
     * @param data RDATA of each record
     */
    public record KeyRecords(int type, int ttlSeconds, List<byte[]> data) {}
}
