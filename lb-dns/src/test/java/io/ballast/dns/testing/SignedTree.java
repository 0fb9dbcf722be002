package io.ballast.dns.testing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * The root, {@code lab} and zones below it, signed correctly, incorrectly or not at all, as served by a resolver
 * without validation.
 */
public final class SignedTree {

    /** The validation result of a query. */
    public enum Verdict {
        SECURE,
        INSECURE,
        BOGUS
    }

    /** A query and its expected result. */
    public record Case(String name, int type, Verdict verdict) {

        @Override
        public String toString() {
            return name + " " + Type.string(type);
        }
    }

    private final Instant now;
    private final Map<Name, TestSignedZone> zones = new LinkedHashMap<>();

    public SignedTree(Instant now) {
        this.now = now;
        zone(".");
        zone("lab");
        fill(zone("good.lab"));
        fill(zone("hashed.lab").hashed(0, /* optOut= */ false));
        fill(zone("optout.lab").hashed(1, /* optOut= */ true));
        fill(zone("costly.lab").hashed(200, /* optOut= */ false));
        fill(zone("plain.lab").unsigned());
        fill(zone("broken.lab").changed(SignedTree::broken));
        fill(zone("expired.lab").signedFrom(now.minusSeconds(9_000), now.minusSeconds(4_000)));
        fill(zone("early.lab").signedFrom(now.plusSeconds(4_000), now.plusSeconds(9_000)));
        fill(zone("stripped.lab").changed(SignedTree::stripped));
        fill(zone("keyless.lab").changed(set -> set.getType() == Type.DNSKEY ? null : set));
        fill(zone("silent.lab").changed(set -> set.getType() == Type.NSEC ? null : set));
        fill(zone("misdelegated.lab"));
        fill(zone("unknown.lab"));
        fill(zone("child.optout.lab").unsigned());
        fill(zone("child.good.lab"));
        for (TestSignedZone zone : zones.values()) {
            delegate(zone);
        }
        zones.values().forEach(TestSignedZone::finish);
    }

    private TestSignedZone zone(String text) {
        TestSignedZone zone = new TestSignedZone(Messages.name(text), now);
        zones.put(zone.name(), zone);
        return zone;
    }

    private void delegate(TestSignedZone zone) {
        if (zone.name().equals(Name.root)) {
            return;
        }
        TestSignedZone above = above(zone.name());
        above.add(new NSRecord(zone.name(), DClass.IN, TestSignedZone.TTL, Messages.name("ns.lab.")));
        String first = zone.name().getLabelString(0);
        switch (first) {
            case "plain" -> {}
            case "misdelegated" -> above.add(zone.wrongDigest());
            case "unknown" ->
                above.add(new DSRecord(zone.name(), DClass.IN, TestSignedZone.TTL, 1, 200, 2, new byte[32]));
            default -> {
                if (!zone.name().equals(Messages.name("child.optout.lab"))) {
                    above.add(zone.digest());
                }
            }
        }
    }

    private TestSignedZone above(Name name) {
        return deepest(new Name(name, 1));
    }

    private TestSignedZone deepest(Name name) {
        return zones.values().stream()
                .filter(zone -> name.subdomain(zone.name()))
                .max(Comparator.comparingInt(zone -> zone.name().labels()))
                .orElseThrow();
    }

    private static void fill(TestSignedZone zone) {
        Name apex = zone.name();
        zone.add(new ARecord(name("www", apex), DClass.IN, TestSignedZone.TTL, address("192.0.2.1")));
        zone.add(new AAAARecord(name("www", apex), DClass.IN, TestSignedZone.TTL, address("2001:db8::1")));
        zone.add(new TXTRecord(name("*.wild", apex), DClass.IN, TestSignedZone.TTL, "wild"));
        zone.add(new ARecord(name("a.b.deep", apex), DClass.IN, TestSignedZone.TTL, address("192.0.2.2")));
        zone.add(alias("here", "www." + apex, apex));
        zone.add(alias("nowhere", "missing." + apex, apex));
        zone.add(alias("to-good", "www.good.lab.", apex));
        zone.add(alias("to-hashed", "www.hashed.lab.", apex));
        zone.add(alias("to-plain", "www.plain.lab.", apex));
        zone.add(alias("to-broken", "www.broken.lab.", apex));
        zone.add(alias("to-silence", "missing.silent.lab.", apex));
        zone.add(alias("to-nothing", "missing.good.lab.", apex));
        zone.add(alias("*.alias", "www.hashed.lab.", apex));
        zone.add(new DNAMERecord(name("moved", apex), DClass.IN, TestSignedZone.TTL, Messages.name("good.lab.")));
        zone.add(new ARecord(name("moved", apex), DClass.IN, TestSignedZone.TTL, address("192.0.2.3")));
    }

    private static CNAMERecord alias(String label, String target, Name apex) {
        return new CNAMERecord(name(label, apex), DClass.IN, TestSignedZone.TTL, Messages.name(target));
    }

    private static Name name(String label, Name apex) {
        return Messages.name(label + "." + apex);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RRset broken(RRset set) {
        if (set.getType() == Type.DNSKEY || set.getType() == Type.DS) {
            return set;
        }
        RRset broken = new RRset();
        set.rrs(/* cycle= */ false).forEach(broken::addRR);
        for (RRSIGRecord sig : set.sigs()) {
            byte[] bytes = sig.getSignature().clone();
            bytes[bytes.length - 1] ^= 1;
            broken.addRR(new RRSIGRecord(
                    sig.getName(),
                    sig.getDClass(),
                    sig.getTTL(),
                    sig.getTypeCovered(),
                    sig.getAlgorithm(),
                    sig.getOrigTTL(),
                    sig.getExpire(),
                    sig.getTimeSigned(),
                    sig.getFootprint(),
                    sig.getSigner(),
                    bytes));
        }
        return broken;
    }

    private static RRset stripped(RRset set) {
        if (set.getType() == Type.DNSKEY) {
            return set;
        }
        RRset bare = new RRset();
        set.rrs(/* cycle= */ false).forEach(bare::addRR);
        return bare;
    }

    /** The trust anchor as a line of a file. */
    public String anchor() {
        return zones.get(Name.root).digest().toString();
    }

    /** Returns all test queries with their expected results. */
    public static List<Case> cases() {
        return SignedCases.all();
    }

    /** Returns the answer of a resolver without validation. */
    public Message answer(Message query) {
        Record question = query.getQuestion();
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        Name name = question.getName();
        int type = question.getType();
        for (int links = 0; name != null && links < 8; links++) {
            boolean isOfParent = type == Type.DS && zones.containsKey(name) && !name.equals(Name.root);
            TestSignedZone zone = isOfParent ? above(name) : deepest(name);
            name = zone.answer(name, type, reply);
        }
        OPTRecord opt = query.getOPT();
        reply.addRecord(new OPTRecord(4096, 0, 0, opt == null ? 0 : opt.getFlags()), Section.ADDITIONAL);
        if (query.getHeader().getFlag(Flags.CD)) {
            reply.getHeader().setFlag(Flags.CD);
        }
        return reply;
    }
}
