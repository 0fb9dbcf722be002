package io.ballast.dns.testing;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSEC3Record;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.utils.base32;

/** A test zone: unsigned, or signed with NSEC or NSEC3, and with optional errors. */
public final class TestSignedZone {

    static final int TTL = 300;

    private static final base32 HEX =
            new base32(base32.Alphabet.BASE32HEX, /* padding= */ false, /* lowercase= */ true);
    private static final int ZONE_KEY = 257;

    private final Name name;
    private final KeyPair pair;
    private final DNSKEYRecord key;
    private final Map<Name, Map<Integer, RRset>> nodes = new TreeMap<>();
    private final Map<Name, String> hashes = new TreeMap<>();
    private boolean signed = true;
    private int iterations = -1;
    private boolean optsOut;
    private Instant from;
    private Instant to;
    private UnaryOperator<RRset> change = set -> set;
    private final List<NSECRecord> chain = new ArrayList<>();

    TestSignedZone(Name name, Instant now) {
        this.name = name;
        this.from = now.minusSeconds(86_400);
        this.to = now.plusSeconds(86_400);
        this.pair = pair();
        this.key = key(name, pair);
        add(new SOARecord(name, DClass.IN, TTL, name, name, 1, 3600, 600, 86400, 60));
        add(new NSRecord(name, DClass.IN, TTL, Messages.name("ns.lab.")));
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DNSKEYRecord key(Name name, KeyPair pair) {
        try {
            return new DNSKEYRecord(
                    name,
                    DClass.IN,
                    TTL,
                    ZONE_KEY,
                    DNSKEYRecord.Protocol.DNSSEC,
                    DNSSEC.Algorithm.ECDSAP256SHA256,
                    pair.getPublic());
        } catch (DNSSEC.DNSSECException e) {
            throw new IllegalStateException(e);
        }
    }

    Name name() {
        return name;
    }

    /** Returns the DS record of the zone's key. */
    public DSRecord digest() {
        return new DSRecord(name, DClass.IN, TTL, DNSSEC.Digest.SHA256, key);
    }

    /** Returns a DS record of a key that the zone does not have. */
    public DSRecord wrongDigest() {
        return new DSRecord(name, DClass.IN, TTL, DNSSEC.Digest.SHA256, key(name, pair()));
    }

    public TestSignedZone unsigned() {
        signed = false;
        return this;
    }

    /** Uses NSEC3 for denial. */
    public TestSignedZone hashed(int howOften, boolean optOut) {
        iterations = howOften;
        optsOut = optOut;
        return this;
    }

    /** Sets the validity period of the zone's signatures. The signatures of its keys are always valid. */
    public TestSignedZone signedFrom(Instant begin, Instant end) {
        from = begin;
        to = end;
        return this;
    }

    /** Sets a function that changes the record sets in answers; null omits a record set. */
    public TestSignedZone changed(UnaryOperator<@Nullable RRset> how) {
        change = how;
        return this;
    }

    public TestSignedZone add(Record record) {
        nodes.computeIfAbsent(record.getName(), unknown -> new TreeMap<>())
                .computeIfAbsent(record.getType(), unknown -> new RRset())
                .addRR(record);
        return this;
    }

    /** Signs the zone. */
    void finish() {
        if (!signed) {
            return;
        }
        add(key);
        if (iterations < 0) {
            link();
        }
        nodes.forEach((owner, sets) -> sets.values().forEach(set -> {
            if (isOurs(owner, set.getType())) {
                sign(set);
            }
        }));
        if (iterations >= 0) {
            allNames().forEach(each -> hashes.put(each, HEX.toString(hash(each))));
        }
    }

    private boolean isOurs(Name owner, int type) {
        return !isDelegation(owner) || type == Type.DS || type == Type.NSEC;
    }

    private boolean isDelegation(Name owner) {
        Map<Integer, RRset> sets = nodes.get(owner);
        return !owner.equals(name) && sets != null && sets.containsKey(Type.NS);
    }

    private void link() {
        List<Name> names = new ArrayList<>(nodes.keySet());
        for (int i = 0; i < names.size(); i++) {
            Name owner = names.get(i);
            Name next = names.get((i + 1) % names.size());
            NSECRecord nsec = new NSECRecord(owner, DClass.IN, 60, next, types(owner, Type.NSEC));
            chain.add(nsec);
            add(nsec);
        }
    }

    private int[] types(Name owner, int... more) {
        Map<Integer, RRset> sets = nodes.getOrDefault(owner, Map.of());
        TreeSet<Integer> types = new TreeSet<>(sets.keySet());
        boolean isSigned = sets.keySet().stream().anyMatch(type -> isOurs(owner, type) && type != Type.NSEC);
        if (isSigned || more.length > 0) {
            types.add(Type.RRSIG);
        }
        Arrays.stream(more).forEach(types::add);
        return types.stream().mapToInt(Integer::intValue).toArray();
    }

    private void sign(RRset set) {
        boolean always = set.getType() == Type.DNSKEY;
        try {
            RRSIGRecord signature = DNSSEC.sign(
                    set,
                    key,
                    pair.getPrivate(),
                    always ? Instant.now().minusSeconds(60) : from,
                    always ? Instant.now().plusSeconds(86_400) : to);
            set.addRR(signature);
        } catch (DNSSEC.DNSSECException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns all existing names and empty non-terminals. With opt-out, unsigned delegations are omitted. */
    private SortedSet<Name> allNames() {
        SortedSet<Name> names = new TreeSet<>();
        for (Name owner : nodes.keySet()) {
            boolean isOmitted =
                    optsOut && isDelegation(owner) && !nodes.get(owner).containsKey(Type.DS);
            for (Name each = owner; !isOmitted && each.labels() >= name.labels(); each = new Name(each, 1)) {
                names.add(each);
                if (each.equals(name)) {
                    break;
                }
            }
        }
        return names;
    }

    private boolean exists(Name owner) {
        return nodes.keySet().stream().anyMatch(each -> each.subdomain(owner));
    }

    @Nullable RRset find(Name owner, int type) {
        return nodes.getOrDefault(owner, Map.of()).get(type);
    }

    /** Adds the records about a name to a message; returns the next name to look up, or null. */
    @Nullable Name answer(Name queried, int type, Message reply) {
        if (exists(queried)) {
            return give(queried, queried, type, reply);
        }
        Name encloser = queried;
        while (!exists(encloser)) {
            encloser = new Name(encloser, 1);
        }
        Name nextCloser = new Name(queried, queried.labels() - encloser.labels() - 1);
        Name wildcard = Messages.name(encloser.equals(Name.root) ? "*" : "*." + encloser);
        if (exists(wildcard)) {
            Name next = give(wildcard, queried, type, reply);
            deny(reply, nextCloser, /* matches= */ false);
            return next;
        }
        reply.getHeader().setRcode(org.xbill.DNS.Rcode.NXDOMAIN);
        put(find(name, Type.SOA), name, Section.AUTHORITY, reply);
        if (iterations >= 0) {
            deny(reply, encloser, /* matches= */ true);
        }
        deny(reply, nextCloser, /* matches= */ false);
        deny(reply, wildcard, /* matches= */ false);
        return null;
    }

    private @Nullable Name give(Name owner, Name queried, int type, Message reply) {
        Map<Integer, RRset> all = nodes.getOrDefault(owner, Map.of());
        boolean hasSome = type == Type.RRSIG
                ? all.values().stream().anyMatch(set -> !set.sigs().isEmpty())
                : !all.isEmpty();
        if ((type == Type.ANY || type == Type.RRSIG) && hasSome) {
            all.values().forEach(set -> put(type == Type.ANY ? set : signatures(set), queried, Section.ANSWER, reply));
            return null;
        }
        RRset alias = find(owner, Type.CNAME);
        RRset found = find(owner, type);
        if (found == null && alias != null) {
            put(alias, queried, Section.ANSWER, reply);
            return ((org.xbill.DNS.CNAMERecord) alias.first()).getTarget();
        }
        if (found != null) {
            put(found, queried, Section.ANSWER, reply);
            return null;
        }
        put(find(name, Type.SOA), name, Section.AUTHORITY, reply);
        boolean isOmitted = iterations >= 0 && !hashes.containsKey(owner);
        if (isOmitted) {
            deny(reply, name, /* matches= */ true);
        }
        deny(reply, owner, /* matches= */ !isOmitted);
        if (iterations >= 0 && !owner.equals(queried)) {
            deny(reply, new Name(owner, 1), /* matches= */ true);
        }
        return null;
    }

    private static RRset signatures(RRset set) {
        RRset signatures = new RRset();
        set.sigs().forEach(signatures::addRR);
        return signatures;
    }

    /** Adds the denial record that matches or covers a name. */
    private void deny(Message reply, Name about, boolean matches) {
        if (!signed) {
            return;
        }
        if (iterations < 0) {
            NSECRecord found = chain.get(chain.size() - 1);
            for (NSECRecord each : chain) {
                if (each.getName().compareTo(about) <= 0) {
                    found = each;
                }
            }
            put(find(found.getName(), Type.NSEC), found.getName(), Section.AUTHORITY, reply);
            return;
        }
        List<Map.Entry<Name, String>> sorted = new ArrayList<>(hashes.entrySet());
        sorted.sort(Map.Entry.comparingByValue(Comparator.naturalOrder()));
        String hash = HEX.toString(hash(about));
        int at = sorted.size() - 1;
        for (int i = 0; i < sorted.size(); i++) {
            int order = sorted.get(i).getValue().compareTo(hash);
            if (matches ? order == 0 : order < 0) {
                at = i;
            }
        }
        Name owner = sorted.get(at).getKey();
        byte[] next = HEX.fromString(sorted.get((at + 1) % sorted.size()).getValue());
        Name hashed = Messages.name(sorted.get(at).getValue().toLowerCase(Locale.ROOT) + "." + name);
        int flags = optsOut ? NSEC3Record.Flags.OPT_OUT : 0;
        RRset set = new RRset(
                new NSEC3Record(hashed, DClass.IN, 60, 1, flags, iterations, new byte[0], next, types(owner)));
        sign(set);
        put(set, hashed, Section.AUTHORITY, reply);
    }

    private byte[] hash(Name each) {
        NSEC3Record parameters =
                new NSEC3Record(name, DClass.IN, 0, 1, 0, iterations, new byte[0], new byte[20], new int[0]);
        try {
            return parameters.hashName(each);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds records and their signatures once, with this owner name. */
    private void put(@Nullable RRset set, Name owner, int section, Message reply) {
        RRset changed = set == null ? null : change.apply(set);
        if (changed == null) {
            return;
        }
        List<Record> records = new ArrayList<>(changed.rrs(/* cycle= */ false));
        records.addAll(changed.sigs());
        for (Record record : records) {
            Record copy = Record.newRecord(
                    owner, record.getType(), DClass.IN, record.getTTL(), record.rdataToWireCanonical());
            if (!reply.findRecord(copy, section)) {
                reply.addRecord(copy, section);
            }
        }
    }
}
