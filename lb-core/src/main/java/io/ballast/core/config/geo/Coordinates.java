package io.ballast.core.config.geo;

import io.ballast.core.Checks;

/**
 * A place on Earth, in degrees.
 *
 * @param latitude -90 (south) to 90 (north)
 * @param longitude -180 (west) to 180 (east)
 */
public record Coordinates(double latitude, double longitude) {

    public static final double MAX_LATITUDE = 90;
    public static final double MAX_LONGITUDE = 180;

    public Coordinates {
        Checks.that(Math.abs(latitude) <= MAX_LATITUDE, "latitude", latitude, "-90..90");
        Checks.that(Math.abs(longitude) <= MAX_LONGITUDE, "longitude", longitude, "-180..180");
    }

    /** Returns the angle between two places as seen from the centre of the Earth, in radians (haversine formula). */
    public double angleTo(Coordinates other) {
        double north = haversine(Math.toRadians(other.latitude - latitude));
        double east = haversine(Math.toRadians(other.longitude - longitude));
        double scale = Math.cos(Math.toRadians(latitude)) * Math.cos(Math.toRadians(other.latitude));
        return 2 * Math.asin(Math.min(1, Math.sqrt(north + scale * east)));
    }

    private static double haversine(double angle) {
        double sine = Math.sin(angle / 2);
        return sine * sine;
    }
}
