package io.ballast.dns.zone.contents;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.xbill.DNS.Name;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * The contents of a zone for transfers: its unsigned records, and the records of its services regardless of
 * health.
 *
 * <p>Thread safety: immutable.
 *
 * @param services the record sets of each service by its name, in lower case
 */
public record TransferContents(ZoneContents contents, Map<Name, List<RecordSet>> services) {

    public TransferContents {
        services = Map.copyOf(services);
    }

    public Name apex() {
        return contents.apex();
    }

    public SOARecord soa() {
        return contents.requireSoa();
    }

    /** Returns the serial of the zone, 0 to 2^32 - 1. */
    public long serial() {
        return soa().getSerial();
    }

    /**
     * Returns all names that have records, created lazily. The zone apex comes first if it was added first.
     */
    public Stream<Name> names() {
        Stream<Name> recorded = StreamSupport.stream(contents.names().spliterator(), /* parallel= */ false);
        return Stream.concat(
                recorded,
                services.keySet().stream().filter(name -> contents.sets(name).isEmpty()));
    }

    /** The record sets of a name by type, without the SOA record; empty for a name without records. */
    public Map<Integer, RecordSet> sets(Name name) {
        Map<Integer, RecordSet> recorded = contents.sets(name);
        List<RecordSet> served = services.getOrDefault(name, List.of());
        if (served.isEmpty() && !recorded.containsKey(Type.SOA)) {
            return recorded;
        }
        Map<Integer, RecordSet> all = new LinkedHashMap<>(recorded);
        served.forEach(set -> all.put(set.type(), set));
        all.remove(Type.SOA);
        return all;
    }

    /** All record sets except the SOA record, created lazily. */
    public Iterator<RecordSet> sets() {
        return names().flatMap(name -> sets(name).values().stream()).iterator();
    }
}
