package io.ballast.dns.answer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.HINFORecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** A simple reference server, written from RFC 1034 section 4.3.2 with lists and dnsjava's objects. */
final class NaiveServer {

    private final List<SOARecord> zones = new ArrayList<>();
    private final Map<Name, List<Record>> records = new HashMap<>();

    void addZone(SOARecord soa) {
        zones.add(soa);
        add(soa);
    }

    void add(Record added) {
        records.computeIfAbsent(added.getName(), name -> new ArrayList<>()).add(added);
    }

    Message answer(Message query) {
        Name name = query.getQuestion().getName();
        Message response = new Message();
        response.getHeader().setFlag(Flags.QR);
        response.getHeader().setFlag(Flags.RD);
        response.addRecord(query.getQuestion(), Section.QUESTION);
        SOARecord zone = zoneOf(name);
        if (zone == null) {
            response.getHeader().setRcode(Rcode.REFUSED);
            return response;
        }
        response.getHeader().setFlag(Flags.AA);
        Name source = exists(name) ? name : wildcardFor(name);
        if (source == null) {
            response.getHeader().setRcode(Rcode.NXDOMAIN);
            response.addRecord(zone, Section.AUTHORITY);
            return response;
        }
        List<Record> answers = select(name, source, query.getQuestion().getType());
        answers.forEach(answer -> response.addRecord(answer, Section.ANSWER));
        if (answers.isEmpty()) {
            response.addRecord(zone, Section.AUTHORITY);
        }
        return response;
    }

    private List<Record> select(Name name, Name source, int type) {
        List<Record> all = records.getOrDefault(source, List.of());
        if (type == Type.ANY) {
            return all.isEmpty() ? List.of() : List.of(new HINFORecord(name, DClass.IN, 3600, "RFC8482", ""));
        }
        return all.stream()
                .filter(candidate -> candidate.getType() == type)
                .map(match -> Record.newRecord(name, type, DClass.IN, match.getTTL(), match.rdataToWireCanonical()))
                .toList();
    }

    private @Nullable SOARecord zoneOf(Name name) {
        SOARecord longest = null;
        for (SOARecord zone : zones) {
            boolean contains = name.subdomain(zone.getName());
            if (contains
                    && (longest == null
                            || zone.getName().labels() > longest.getName().labels())) {
                longest = zone;
            }
        }
        return longest;
    }

    private boolean exists(Name name) {
        return records.keySet().stream().anyMatch(existing -> existing.subdomain(name));
    }

    /**
     * Returns the wildcard that matches a name; null if there is none. The wildcard may have no records itself if there
     * are names below it (RFC 4592 section 4.9).
     */
    private @Nullable Name wildcardFor(Name name) {
        Name encloser = name;
        while (!exists(encloser)) {
            encloser = new Name(encloser, 1);
        }
        try {
            Name wildcard = Name.fromString("*", encloser);
            return exists(wildcard) ? wildcard : null;
        } catch (TextParseException e) {
            throw new IllegalStateException(e);
        }
    }
}
