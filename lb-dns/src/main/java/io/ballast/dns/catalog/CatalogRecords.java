package io.ballast.dns.catalog;

import io.ballast.dns.config.zone.CatalogMember;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.contents.Names;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.xbill.DNS.DClass;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;

/**
 * Builds the records of a catalog zone (<a href="https://datatracker.ietf.org/doc/html/rfc9432#section-4">RFC
 * 9432 section 4</a>). The label of a member is derived from the member's name, so it is the same in every
 * version. May be called from any thread.
 */
final class CatalogRecords {

    private static final String VERSION = "2";
    /**
     * The placeholder for the name server and the mailbox of a catalog zone. Both are unused, because clients do not
     * query catalog zones (RFC 9432 section 4.1).
     */
    private static final Name INVALID_NAME = Name.fromConstantString("invalid.");

    private static final int LABEL_BYTES = 16;
    /** The TTL of all records. It is zero, because catalog records are not cached. */
    private static final long TTL = 0;

    private CatalogRecords() {}

    /** Returns all records of a catalog zone. The SOA record is the first one. */
    static List<Record> of(ZoneConfig catalog, long serial) {
        Name apex = Names.absolute(catalog.name());
        ZoneConfig.SoaConfig soa = catalog.soa();
        List<Record> records = new ArrayList<>();
        records.add(new SOARecord(
                apex,
                DClass.IN,
                TTL,
                INVALID_NAME,
                INVALID_NAME,
                serial,
                soa.refresh().toSeconds(),
                soa.retry().toSeconds(),
                soa.expire().toSeconds(),
                soa.negativeTtl().toSeconds()));
        records.add(new NSRecord(apex, DClass.IN, TTL, INVALID_NAME));
        records.add(new TXTRecord(below("version", apex), DClass.IN, TTL, VERSION));
        Name members = below("zones", apex);
        for (CatalogMember member : catalog.members()) {
            Name owner = below(label(member.zone()), members);
            records.add(new PTRRecord(owner, DClass.IN, TTL, Names.absolute(member.zone())));
            member.group().ifPresent(group -> records.add(new TXTRecord(below("group", owner), DClass.IN, TTL, group)));
        }
        return records;
    }

    private static Name below(String label, Name above) {
        try {
            return Name.fromString(label, above);
        } catch (TextParseException e) {
            throw new IllegalArgumentException(
                    "catalog: " + above + " (expected: a shorter name, with room for the names of its members)", e);
        }
    }

    private static String label(String member) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(member.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest, 0, LABEL_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
