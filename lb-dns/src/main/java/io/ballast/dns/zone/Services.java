package io.ballast.dns.zone;

import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.service.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/**
 * The services of zones by name: several services with different types may share a name. The set of services is
 * immutable; their state is confined to the compiler thread.
 */
final class Services {

    private final List<Service> all;
    /** The services of each name. */
    private final Map<Name, List<Service>> byName = new HashMap<>();

    Services(List<Service> all) {
        this.all = List.copyOf(all);
        for (Service service : all) {
            for (ServedName name : service.names()) {
                byName.merge(name.name(), List.of(service), (existing, one) -> with(existing, service));
            }
        }
    }

    private static List<Service> with(List<Service> some, Service another) {
        List<Service> more = new ArrayList<>(some);
        more.add(another);
        return List.copyOf(more);
    }

    /** Returns all services in the order of the configuration. */
    List<Service> all() {
        return all;
    }

    /** Returns {@code others} extended by the last compiled answers of all services of the name. */
    NameAnswers addTo(NameAnswers others, Name name) {
        NameAnswers answers = others;
        for (Service service : byName.getOrDefault(name, List.of())) {
            answers = service.addTo(answers);
        }
        return answers;
    }

    /** Returns the main names of all services, absolute, without the final dot and without duplicates. */
    List<String> names() {
        return all.stream().map(Services::ownName).distinct().toList();
    }

    /** The main name of a service, without the final dot. */
    static String ownName(Service service) {
        return service.name().toString(/* omitFinalDot= */ true);
    }

    /**
     * Returns the record types that services provide at a name, or at a wildcard that matches it.
     *
     * @throws NoSuchElementException if there is no such service
     */
    Set<Integer> types(Name name) {
        return servicesAt(name).stream()
                .flatMap(service -> Service.types(service.config()).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The service that provides the records of a type at a name.
     *
     * @throws NoSuchElementException if there is no such service
     */
    Service find(Name name, int type) {
        return servicesAt(name).stream()
                .filter(service -> Service.types(service.config()).contains(type))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("type: " + Type.string(type) + " (expected: "
                        + types(name).stream().map(Type::string).collect(Collectors.joining(", ")) + " for "
                        + name.toString(true) + ")"));
    }

    private List<Service> servicesAt(Name name) {
        for (Name next = name; ; next = Names.wildcard(Names.parent(next.isWild() ? Names.parent(next) : next))) {
            List<Service> existing = byName.get(next);
            if (existing != null) {
                return existing;
            }
            if (next.labels() <= 2) {
                throw new NoSuchElementException("name: " + name.toString(true) + " (expected: the name of a service)");
            }
        }
    }
}
