package io.ballast.dns.testing;

import io.ballast.dns.testing.SignedTree.Case;
import io.ballast.dns.testing.SignedTree.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.Type;

/** Queries for a {@link SignedTree} with their expected results. */
final class SignedCases {

    private static final List<String> SECURE = List.of("good.lab", "hashed.lab", "child.good.lab");
    private static final List<String> INSECURE = List.of("plain.lab", "unknown.lab", "child.optout.lab");
    private static final List<String> BOGUS =
            List.of("broken.lab", "expired.lab", "early.lab", "stripped.lab", "keyless.lab", "misdelegated.lab");

    /** Queries in the opt-out zone whose NODATA response is proven by the denial record of the name itself. */
    private static final List<String> PROVEN_IN_SPITE_OF_OPT_OUT = List.of("www.optout.lab MX", "deep.optout.lab A");

    private SignedCases() {}

    static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        SECURE.forEach(zone -> add(cases, zone, Verdict.SECURE, Verdict.SECURE));
        INSECURE.forEach(zone -> add(cases, zone, Verdict.INSECURE, Verdict.INSECURE));
        BOGUS.forEach(zone -> add(cases, zone, Verdict.BOGUS, Verdict.BOGUS));
        // Existing names are valid. The proof that a name does not exist is absent or rejected.
        add(cases, "silent.lab", Verdict.SECURE, Verdict.BOGUS);
        add(cases, "costly.lab", Verdict.SECURE, Verdict.INSECURE);
        add(cases, "optout.lab", Verdict.SECURE, Verdict.INSECURE);
        cases.removeIf(each -> PROVEN_IN_SPITE_OF_OPT_OUT.contains(each.toString()));
        PROVEN_IN_SPITE_OF_OPT_OUT.forEach(each -> {
            String[] parts = each.split(" ", 2);
            cases.add(new Case(parts[0], Type.value(parts[1]), Verdict.SECURE));
        });
        cases.add(new Case("good.lab", Type.DNSKEY, Verdict.SECURE));
        cases.add(new Case("good.lab", Type.DS, Verdict.SECURE));
        cases.add(new Case("plain.lab", Type.DS, Verdict.SECURE));
        cases.add(new Case("child.optout.lab", Type.DS, Verdict.INSECURE));
        cases.add(new Case("missing.lab", Type.A, Verdict.SECURE));
        return cases;
    }

    /** @param denied result for missing names and wildcards */
    private static void add(List<Case> cases, String zone, Verdict there, Verdict denied) {
        cases.add(new Case("www." + zone, Type.A, there));
        cases.add(new Case("www." + zone, Type.AAAA, there));
        cases.add(new Case(zone, Type.SOA, there));
        cases.add(new Case("here." + zone, Type.A, there));
        cases.add(new Case("www." + zone, Type.ANY, there));
        cases.add(new Case("moved." + zone, Type.ANY, there));
        cases.add(new Case("moved." + zone, Type.DNAME, there));
        cases.add(new Case("moved." + zone, Type.A, there));
        cases.add(new Case("www." + zone, Type.MX, denied));
        cases.add(new Case("missing." + zone, Type.A, denied));
        cases.add(new Case("deep." + zone, Type.A, denied));
        cases.add(new Case("some.wild." + zone, Type.TXT, denied));
        cases.add(new Case("some.wild." + zone, Type.A, denied));
        cases.add(new Case("nowhere." + zone, Type.A, denied));
        cases.add(new Case("to-good." + zone, Type.A, there));
        cases.add(new Case("to-hashed." + zone, Type.A, there));
        cases.add(new Case("some.alias." + zone, Type.A, denied));
        cases.add(new Case("to-plain." + zone, Type.A, there == Verdict.BOGUS ? Verdict.BOGUS : Verdict.INSECURE));
        cases.add(new Case("to-nothing." + zone, Type.A, there));
        cases.add(new Case("to-silence." + zone, Type.A, Verdict.BOGUS));
        cases.add(new Case("to-broken." + zone, Type.A, Verdict.BOGUS));
    }
}
