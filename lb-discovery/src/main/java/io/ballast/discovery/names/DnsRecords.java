package io.ballast.discovery.names;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Looks up the addresses and the SRV records of a name at the servers of {@link DnsLookup}. Thread safety:
 * may be called from any thread.
 */
final class DnsRecords implements RecordLookup {

    private final DnsLookup dnsLookup;

    DnsRecords(DnsLookup servers) {
        this.dnsLookup = servers;
    }

    @Override
    public NameLookup.Answer findAll(String name) throws UnknownHostException {
        return dnsLookup.search(name, DnsRecords::addresses, "has no address");
    }

    @Override
    public Services findServices(String name) throws UnknownHostException {
        return dnsLookup.search(name, DnsRecords::services, "has no SRV record");
    }

    private static NameLookup.@Nullable Answer addresses(Name name, Resolver resolver) throws IOException {
        List<InetAddress> all = new ArrayList<>();
        Duration ttl = Duration.ofSeconds(Integer.MAX_VALUE);
        for (int type : new int[] {Type.A, Type.AAAA}) {
            Message response = DnsLookup.send(name, type, resolver);
            NameLookup.Answer answer = response == null ? null : DnsLookup.read(response);
            if (answer != null) {
                all.addAll(answer.addresses());
                ttl = ttl.compareTo(answer.ttl()) < 0 ? ttl : answer.ttl();
            }
        }
        return all.isEmpty() ? null : new NameLookup.Answer(all, ttl);
    }

    private static @Nullable Services services(Name name, Resolver resolver) throws IOException {
        Message response = DnsLookup.send(name, Type.SRV, resolver);
        if (response == null) {
            return null;
        }
        long ttl = Integer.MAX_VALUE;
        List<SRVRecord> records = new ArrayList<>();
        for (Record each : response.getSection(Section.ANSWER)) {
            if (each instanceof SRVRecord service) {
                records.add(service);
            } else if (!(each instanceof CNAMERecord)) {
                continue;
            }
            ttl = Math.min(ttl, each.getTTL());
        }
        if (records.isEmpty()) {
            return null;
        }
        Map<Name, List<Record>> additional = additional(response);
        List<Service> services = new ArrayList<>();
        for (SRVRecord each : records) {
            if (!each.getTarget().equals(Name.root)) {
                List<Record> addresses = additional.getOrDefault(each.getTarget(), List.of());
                services.add(service(each, addresses));
                for (Record address : addresses) {
                    ttl = Math.min(ttl, address.getTTL());
                }
            }
        }
        return new Services(services, Duration.ofSeconds(ttl));
    }

    /** Returns the address records of the additional section, by name. */
    private static Map<Name, List<Record>> additional(Message response) {
        Map<Name, List<Record>> additional = new HashMap<>();
        for (Record each : response.getSection(Section.ADDITIONAL)) {
            if (each instanceof ARecord || each instanceof AAAARecord) {
                additional
                        .computeIfAbsent(each.getName(), name -> new ArrayList<>())
                        .add(each);
            }
        }
        return additional;
    }

    private static Service service(SRVRecord record, List<Record> addresses) {
        return new Service(
                record.getPriority(),
                record.getWeight(),
                record.getTarget().toString(),
                record.getPort(),
                addresses.stream()
                        .map(each -> each instanceof ARecord a ? a.getAddress() : ((AAAARecord) each).getAddress())
                        .toList());
    }
}
