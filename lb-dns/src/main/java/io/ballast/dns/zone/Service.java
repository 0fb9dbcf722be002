package io.ballast.dns.zone;

import io.ballast.core.config.ServiceConfig;
import io.ballast.core.pool.Pool;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.Answer;
import io.ballast.dns.answer.NameAnswers;
import java.util.List;
import org.xbill.DNS.Name;

/** A name balanced over a pool: compiles the name's answers. Thread safety: confined to the control plane. */
final class Service {

    /** How many cursors the answers of a service use, one for each address family. */
    static final int CURSORS = AddressFamily.values().length;

    private final Pool pool;
    private final int index;
    private final Name name;
    private final List<ServiceFamily> families;

    /**
     * @param index of the name's answers in the table
     * @param firstCursor the first of {@link #CURSORS} cursors that nothing else uses
     */
    Service(ServiceConfig config, Name name, Pool pool, int index, int firstCursor) {
        this.pool = pool;
        this.index = index;
        this.name = name;
        this.families = List.of(
                new ServiceFamily(config, AddressFamily.IPV4, firstCursor),
                new ServiceFamily(config, AddressFamily.IPV6, firstCursor + 1));
    }

    Pool pool() {
        return pool;
    }

    Name name() {
        return name;
    }

    int index() {
        return index;
    }

    /**
     * The name's answers with the addresses of {@link #pool} as they are.
     *
     * @param fixed what the name answers besides addresses
     */
    NameAnswers compile(PoolAddresses addresses, NameAnswers fixed) {
        NameAnswers answers = fixed;
        for (ServiceFamily family : families) {
            Answer answer = family.compile(addresses);
            if (answer != null) {
                answers = answers.with(family.type(), answer);
            }
        }
        return answers;
    }
}
