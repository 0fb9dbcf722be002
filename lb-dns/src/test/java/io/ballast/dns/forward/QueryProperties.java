package io.ballast.dns.forward;

import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** One combination of the properties of a query. */
record QueryProperties(
        boolean rd,
        boolean cd,
        boolean edns,
        boolean dnssecOk,
        boolean cookie,
        boolean nsid,
        boolean subnet,
        Transport transport) {

    /** The name of all queries, in lower case. */
    static final String NAME = "mixed.case.example.org";

    /** The transport of the query. */
    enum Transport {
        UDP,
        TCP,
        DOT,
        DOH
    }

    static List<QueryProperties> all() {
        List<QueryProperties> all = new ArrayList<>();
        for (int bits = 0; bits < 1 << 9; bits++) {
            boolean edns = (bits & 4) != 0;
            if (edns || (bits & (8 | 16 | 32 | 64)) == 0) {
                all.add(new QueryProperties(
                        (bits & 1) != 0,
                        (bits & 2) != 0,
                        edns,
                        (bits & 8) != 0,
                        (bits & 16) != 0,
                        (bits & 32) != 0,
                        (bits & 64) != 0,
                        Transport.values()[bits >> 7]));
            }
        }
        return all;
    }

    /** Returns a query with these properties. All other values, and the letter case of the name, are random. */
    Message query(SplittableRandom random) throws IOException {
        Message query = new Message(random.nextInt(1 << 16));
        if (rd) {
            query.getHeader().setFlag(Flags.RD);
        }
        if (cd) {
            query.getHeader().setFlag(Flags.CD);
        }
        query.addRecord(Record.newRecord(Messages.name(mixed(random)), Type.A, DClass.IN), Section.QUESTION);
        if (edns) {
            List<EDNSOption> options = new ArrayList<>();
            if (cookie) {
                byte[] value = new byte[8];
                random.nextBytes(value);
                options.add(new CookieOption(value));
            }
            if (nsid) {
                options.add(new NSIDOption(new byte[0]));
            }
            if (subnet) {
                byte[] network = {(byte) 198, 51, (byte) random.nextInt(4), 0};
                options.add(new ClientSubnetOption(24, InetAddress.getByAddress(network)));
            }
            int flags = dnssecOk ? ExtendedFlags.DO : 0;
            query.addRecord(new OPTRecord(1232, 0, 0, flags, options), Section.ADDITIONAL);
        }
        return query;
    }

    private static String mixed(SplittableRandom random) {
        StringBuilder name = new StringBuilder();
        NAME.chars().forEach(c -> name.appendCodePoint(random.nextBoolean() ? Character.toUpperCase(c) : c));
        return name.toString();
    }
}
