package io.ballast.dns.zone;

import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.service.Service;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/**
 * The services of some zones, by their names: several may stand at one name, each with records of other types. Which services
 * there are is immutable; what these are is confined to the compiler.
 */
final class Services {

    private final List<Service> all;
    /** Those that stand at a name, by its index; none for names that are no service's. */
    private final List<List<Service>> byIndex = new ArrayList<>();

    Services(List<Service> all) {
        this.all = List.copyOf(all);
        for (Service service : all) {
            for (ServedName name : service.names()) {
                while (byIndex.size() <= name.index()) {
                    byIndex.add(List.of());
                }
                List<Service> there = byIndex.get(name.index());
                byIndex.set(name.index(), there.isEmpty() ? List.of(service) : with(there, service));
            }
        }
    }

    private static List<Service> with(List<Service> some, Service another) {
        List<Service> more = new ArrayList<>(some);
        more.add(another);
        return List.copyOf(more);
    }

    /** In the order of the configuration. */
    List<Service> all() {
        return all;
    }

    /** How many indexes names have, those of no services among them. */
    int indexes() {
        return byIndex.size();
    }

    /** Those that stand at a name. */
    List<Service> at(int index) {
        return byIndex.get(index);
    }

    /** What a name answers by what was compiled last, and what it answers besides. */
    NameAnswers addTo(NameAnswers others, int index) {
        NameAnswers answers = others;
        for (Service service : byIndex.get(index)) {
            answers = service.addTo(answers);
        }
        return answers;
    }

    /** Their own names, absolute, without the final dot, each once. */
    List<String> names() {
        return all.stream().map(Services::ownName).distinct().toList();
    }

    /** Without the final dot. */
    static String ownName(Service service) {
        return service.name().toString(/* omitFinalDot= */ true);
    }

    /**
     * The types of records that services bring to a name or to one that a wildcard stands for.
     *
     * @throws IllegalArgumentException if no service stands there
     */
    Set<Integer> types(Name name) {
        return standingAt(name).stream()
                .flatMap(service -> Service.types(service.config()).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The service that brings records of a type to a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    Service find(Name name, int type) {
        return standingAt(name).stream()
                .filter(service -> Service.types(service.config()).contains(type))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("type: " + Type.string(type) + " (expected: "
                        + types(name).stream().map(Type::string).collect(Collectors.joining(", ")) + " for "
                        + name.toString(true) + ")"));
    }

    private List<Service> standingAt(Name name) {
        for (Name next = name; ; next = Names.wildcard(Names.above(next.isWild() ? Names.above(next) : next))) {
            Name wanted = next;
            List<Service> there = all.stream()
                    .filter(service -> service.names().stream()
                            .anyMatch(each -> each.name().equals(wanted)))
                    .toList();
            if (!there.isEmpty()) {
                return there;
            }
            if (wanted.labels() <= 2) {
                throw new IllegalArgumentException(
                        "name: " + name.toString(true) + " (expected: the name of a service)");
            }
        }
    }
}
