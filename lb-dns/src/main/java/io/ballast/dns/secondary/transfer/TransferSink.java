package io.ballast.dns.secondary.transfer;

import java.io.IOException;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * Takes what a transfer brings. Nothing of it counts before the transfer has ended well: what makes it credible comes last.
 *
 * <p>Confined to the thread that transfers.
 */
public interface TransferSink {

    /** The whole zone follows, without its SOA record, by {@link #add}. */
    void whole(SOARecord soa) throws IOException;

    /** Differences follow, which lead to this version. */
    void differences(SOARecord soa) throws IOException;

    void add(Record record) throws IOException;

    /** Only among differences. */
    void remove(Record record) throws IOException;
}
