package io.ballast.dns.config.zone;

import java.util.Locale;

/** The record types of a service. */
public enum ServiceType {
    /** A and AAAA records with the addresses of pools and of other names. */
    ADDRESS,
    CNAME,
    MX,
    SRV,
    TXT,
    CAA,
    HTTPS,
    SVCB,
    PTR,
    NAPTR,
    TLSA;

    /** The name in files and on the dashboard: lower case for addresses, otherwise the name of the record type. */
    public String label() {
        return this == ADDRESS ? name().toLowerCase(Locale.ROOT) : name();
    }

    /**
     * Returns whether the records are literals from the configuration, so that health checks only select among
     * them.
     */
    public boolean hasConfiguredRecords() {
        return this != ADDRESS;
    }
}
