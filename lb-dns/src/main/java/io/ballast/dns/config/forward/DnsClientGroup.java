package io.ballast.dns.config.forward;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Clients whose queries are filtered otherwise than those of the rest.
 *
 * @param name by which it is told of
 * @param clients its networks; of several groups the one with the longest prefix around an address has it
 * @param filter absent if no list blocks anything for them
 */
public record DnsClientGroup(String name, List<Cidr> clients, Optional<Filter> filter) {

    /** Most groups. */
    public static final int MOST_GROUPS = 32;

    /** Most periods of a group. */
    public static final int MOST_PERIODS = 16;

    /** The name of those that no group has. */
    public static final String OTHERS = "default";

    public DnsClientGroup {
        clients = List.copyOf(clients);
    }

    /** The choices of lists that it makes at one time or another, but for all and for off. */
    public List<List<String>> choices() {
        List<List<String>> choices = new ArrayList<>();
        filter.ifPresent(filter -> {
            filter.lists().ifPresent(choices::add);
            filter.schedule().forEach(period -> choices.add(period.lists()));
        });
        return choices;
    }

    /**
     * What counts for a group, and what it is told.
     *
     * @param lists names of the lists that count; absent for all
     * @param answer what is answered for a blocked name; absent for what the filter says
     * @param addresses of {@link Answer#ADDRESSES}
     * @param timezone that of the schedule; absent for the system's
     * @param schedule times when other lists count; the first that holds
     */
    public record Filter(
            Optional<List<String>> lists,
            Optional<Answer> answer,
            List<IpAddress> addresses,
            Optional<ZoneId> timezone,
            List<Period> schedule) {

        /** What counts for everybody. */
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), List.of(), Optional.empty(), List.of());

        public Filter {
            lists = lists.map(List::copyOf);
            addresses = List.copyOf(addresses);
            schedule = List.copyOf(schedule);
        }
    }

    /**
     * A time of some days of each week.
     *
     * @param days on which it begins
     * @param from when it begins
     * @param to when it ends: on the next day if that is not after {@code from}
     * @param lists names of the lists that count meanwhile, instead of the group's
     */
    public record Period(Set<DayOfWeek> days, LocalTime from, LocalTime to, List<String> lists) {

        public Period {
            days = Set.copyOf(days);
            lists = List.copyOf(lists);
        }
    }
}
