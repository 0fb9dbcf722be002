"""Load runs of Ballast beside other balancers: started, driven, checked and printed by one program."""
