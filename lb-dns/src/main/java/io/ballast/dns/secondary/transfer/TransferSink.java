package io.ballast.dns.secondary.transfer;

import java.io.IOException;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * Receives the records of a transfer. The records must be used only after the transfer has completed. With a TSIG key,
 * only the signature of the last message authenticates all records.
 *
 * <p>Confined to the thread of the transfer.
 */
public interface TransferSink {

    /** Starts a full zone transfer; {@link #add} then passes the zone's records without the SOA record. */
    void beginWholeZone(SOARecord soa) throws IOException;

    /** Starts an incremental transfer, whose differences lead to the zone version with this SOA record. */
    void beginDifferences(SOARecord soa) throws IOException;

    void add(Record record) throws IOException;

    /** Removes a record; called only for differences. */
    void remove(Record record) throws IOException;
}
