package io.ballast.dashboard;

import io.ballast.core.stats.LatencySummary;
import java.util.List;
import java.util.Map;

/**
 * The numbers of the DNS frontend. Totals only ever grow, and the keys of a map do not change while the process runs:
 * they become labels.
 *
 * <p>Called on the dashboard's thread, about once a second; must not block.
 */
public interface DnsStats {

    /** Where it listens, with the real ports. */
    List<String> addresses();

    /** Queries received. */
    long queries();

    /** Queries by record type, such as {@code A}; types that are not told apart are counted as {@code other}. */
    Map<String, Long> queriesByType();

    /** Queries by what brought them, such as {@code udp}. */
    Map<String, Long> queriesByTransport();

    /** Connections that are open. */
    long connectionsOpen();

    /** Connections that were taken on. */
    long connectionsAccepted();

    /** Requests of DNS over HTTPS that were answered by an error of HTTP. */
    long httpErrors();

    /** Connections that were closed or not taken on, by reason. */
    Map<String, Long> connectionsLimited();

    /** Responses by code, such as {@code NOERROR}. */
    Map<String, Long> responsesByCode();

    /**
     * Queries for names in the zones, by zone and by what became of them; those beyond a limit are summed as {@code other}. A
     * reload may bring other zones.
     */
    Map<String, Map<String, Long>> queriesByZone();

    /** Queries that services answered, by service; likewise. */
    Map<String, Long> queriesByService();

    /** Queries that were noticed by what guards the frontend, by kind. */
    Map<String, Long> protection();

    /** Whether names outside the zones are asked of resolvers, as configured now. */
    boolean forwards();

    /** Queries for names outside the zones. */
    long forwardedQueries();

    /** What became of them; of some two things are told, so that they may add up to more. */
    Map<String, Long> forwarded();

    /** How long answers to names outside the zones took, as far as queries are logged, by {@code cache} and {@code resolver}. */
    Map<String, LatencySummary> answerTimes();

    /** Queries for zones as a whole, or for what has changed in them, by what became of them. */
    Map<String, Long> transfers();

    /** Messages that are to change zones, by what became of them. */
    Map<String, Long> updates();

    /** Messages to other servers that a zone has changed, by what became of them. */
    Map<String, Long> notifies();

    /** Questions about names that services follow, by what became of them. */
    Map<String, Long> followUps();

    /** Names that services follow now, by how much is known of them. */
    Map<String, Long> followedNames();

    /** What resolvers were asked, by kind. */
    Map<String, Long> upstreamQuestions();

    /** What happened on the way to resolvers, by kind. */
    Map<String, Long> upstreamEvents();

    /** Answers of resolvers whose signatures were checked, by verdict. */
    Map<String, Long> validated();

    /** How long they were checked. */
    long validationNanos();

    /** Queries that wait for a resolver now. */
    long waiting();

    /** Queries that each list of rules has blocked. A reload may bring other lists. */
    Map<String, Long> blockedByList();

    /** Rules of each list now. */
    Map<String, Long> rulesByList();

    /** For each list 1 if it could not be read when it was tried last, 0 otherwise. */
    Map<String, Long> failingLists();

    /** What is kept of resolvers' answers. */
    DnsCacheStats cache();

    /** Entries of the query log and messages of dnstap that were written, by where to. */
    Map<String, Long> logged();

    /** Those that were lost, by where. */
    Map<String, Long> logDropped();

    /** 1 for each zone from other servers that is answered, 0 for one that is not; of the first thousand. */
    Map<String, Long> secondaryServed();

    /** How often in a row no primary of these zones has told a version. */
    Map<String, Long> secondaryFailures();

    /** The serials of these zones, as far as there is a version. */
    Map<String, Long> secondarySerials();
}
