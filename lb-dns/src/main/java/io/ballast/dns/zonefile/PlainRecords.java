package io.ballast.dns.zonefile;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * A fast parser for common records in plain notation: an address, a name, the fields of an SOA record. All other
 * notations and errors are left to {@link DataReader}. Small zones consist mostly of such records, so this speeds up
 * the start with many zones.
 *
 * <p>Thread safety: any thread may call it.
 */
final class PlainRecords {

    private static final int ADDRESS_BYTES = 4;
    private static final int SOA_FIELDS = 7;
    private static final int FIRST_NUMBER = 2;
    private static final long MAX_UNSIGNED = 0xffff_ffffL;
    private static final long NOT_PLAIN = -1;

    private PlainRecords() {}

    /** Returns the number of a common record type for its upper-case name; -1 for any other word. */
    static int type(String word) {
        return switch (word) {
            case "A" -> Type.A;
            case "AAAA" -> Type.AAAA;
            case "CNAME" -> Type.CNAME;
            case "DNAME" -> Type.DNAME;
            case "MX" -> Type.MX;
            case "NS" -> Type.NS;
            case "PTR" -> Type.PTR;
            case "SOA" -> Type.SOA;
            case "SRV" -> Type.SRV;
            case "TXT" -> Type.TXT;
            default -> -1;
        };
    }

    /**
     * Parses the record whose data begins at the word {@code first} of the entry.
     *
     * @return the record; null if the type is not A, NS, CNAME, DNAME, PTR or SOA, or if this class cannot parse the
     *     data; {@link DataReader} must then read the record
     */
    static @Nullable Record read(Name owner, int type, long ttl, ZoneFileEntry entry, int first, Name origin) {
        try {
            return switch (type) {
                case Type.A -> address(owner, ttl, entry, first);
                case Type.NS, Type.CNAME, Type.DNAME, Type.PTR -> target(owner, type, ttl, entry, first, origin);
                case Type.SOA -> soa(owner, ttl, entry, first, origin);
                default -> null;
            };
        } catch (TextParseException | UnknownHostException e) {
            return null;
        }
    }

    private static @Nullable Record address(Name owner, long ttl, ZoneFileEntry entry, int first)
            throws UnknownHostException {
        if (entry.words() != first + 1 || entry.isQuoted(first)) {
            return null;
        }
        byte[] address = new byte[ADDRESS_BYTES];
        int at = entry.start(first);
        int end = entry.end(first);
        for (int i = 0; i < ADDRESS_BYTES; i++) {
            if (i > 0 && (at == end || entry.byteAt(at++) != '.')) {
                return null;
            }
            int begin = at;
            int value = 0;
            for (; at < end && isDigit(entry.byteAt(at)) && at - begin < 3; at++) {
                value = 10 * value + entry.byteAt(at) - '0';
            }
            boolean hasLeadingZero = at - begin > 1 && entry.byteAt(begin) == '0';
            if (at == begin || value > 0xff || hasLeadingZero) {
                return null;
            }
            address[i] = (byte) value;
        }
        return at == end ? new ARecord(owner, DClass.IN, ttl, InetAddress.getByAddress(address)) : null;
    }

    private static @Nullable Record target(Name owner, int type, long ttl, ZoneFileEntry entry, int first, Name origin)
            throws TextParseException {
        Name target = entry.words() == first + 1 ? name(entry, first, origin) : null;
        if (target == null) {
            return null;
        }
        return switch (type) {
            case Type.NS -> new NSRecord(owner, DClass.IN, ttl, target);
            case Type.CNAME -> new CNAMERecord(owner, DClass.IN, ttl, target);
            case Type.DNAME -> new DNAMERecord(owner, DClass.IN, ttl, target);
            default -> new PTRRecord(owner, DClass.IN, ttl, target);
        };
    }

    private static @Nullable Record soa(Name owner, long ttl, ZoneFileEntry entry, int first, Name origin)
            throws TextParseException {
        if (entry.words() != first + SOA_FIELDS) {
            return null;
        }
        Name host = name(entry, first, origin);
        Name contact = name(entry, first + 1, origin);
        long serial = number(entry, first + FIRST_NUMBER);
        long refresh = number(entry, first + FIRST_NUMBER + 1);
        long retry = number(entry, first + FIRST_NUMBER + 2);
        long expire = number(entry, first + FIRST_NUMBER + 3);
        long minimum = number(entry, first + FIRST_NUMBER + 4);
        if (host == null || contact == null || serial < 0 || Math.min(Math.min(refresh, retry), expire) < 0) {
            return null;
        }
        return minimum < 0
                ? null
                : new SOARecord(owner, DClass.IN, ttl, host, contact, serial, refresh, retry, expire, minimum);
    }

    /** Returns a name in plain notation (letters, digits and similar characters); null for any other notation. */
    private static @Nullable Name name(ZoneFileEntry entry, int word, Name origin) throws TextParseException {
        if (entry.isQuoted(word)) {
            return null;
        }
        for (int at = entry.start(word); at < entry.end(word); at++) {
            int b = entry.byteAt(at);
            if (b <= ' ' || b >= 0x7f || b == '\\' || b == '@') {
                return null;
            }
        }
        Name name = Name.fromString(entry.text(word), origin);
        return name.isAbsolute() ? name : null;
    }

    /** Returns the value of a 32-bit number written in digits; a negative number for any other notation. */
    private static long number(ZoneFileEntry entry, int word) {
        int start = entry.start(word);
        int end = entry.end(word);
        if (entry.isQuoted(word) || start == end || end - start > 10) {
            return NOT_PLAIN;
        }
        long value = 0;
        for (int at = start; at < end; at++) {
            if (!isDigit(entry.byteAt(at))) {
                return NOT_PLAIN;
            }
            value = 10 * value + entry.byteAt(at) - '0';
        }
        return value <= MAX_UNSIGNED ? value : NOT_PLAIN;
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }
}
