"""Every address of the site, and what whoever asks for it must be allowed to do. A new one without a row fails.

A row is the route's name, the action (of :class:`Action`, or ``everybody``, ``signed-in``, ``at-a-table``,
``in-or-at-a-table``, ``own-game``, ``own-player``, ``own-or-managed``, or ``public-only``: what is private is shown
there to nobody at all), and how it is asked where that is not by GET. Routes of libraries are named as a whole, with
the reason why they are not tried here; a route of ours has a name of its own, or it fails too.
"""

from typing import Final

AS_A_WHOLE: Final = {
    "admin": "Django's own, for site administrators only: tests/accounts/test_admin.py",
    "account": "allauth's pages of signing in: each is about whoever asks",
    "mfa": "allauth's pages of the second factor: each is about whoever asks",
}

ROUTES: Final = """
home                                everybody
healthz                             everybody
set_language                        everybody          post
accounts:profile                    signed-in
accounts:tokens                     signed-in
accounts:token_revoke               signed-in          post
accounts:club_create                create-club
accounts:club_edit                  manage-club
accounts:members                    view-members
accounts:member_role                manage-club        post
accounts:member_remove              manage-club        post
accounts:log                        manage-club
tournaments:club                    view-club
tournaments:index                   everybody
tournaments:tournament              view-tournament
tournaments:standings               view-tournament
tournaments:standings_fragment      view-tournament
tournaments:ranks                   view-tournament
tournaments:needs                   view-tournament
tournaments:entry                   view-tournament
tournaments:entries                 view-tournament
tournaments:rulings                 view-tournament
tournaments:clock                   view-tournament
tournaments:clock_now               view-tournament
tournaments:hall                    view-tournament
tournaments:table                   view-tournament
tournaments:entries_ask             view-tournament    sign-in
tournaments:entries_take_back       view-tournament    sign-in post
tournaments:create                  manage-tournament
tournaments:publish                 manage-tournament  post
tournaments:change_plan             manage-tournament  post
tournaments:change_rules            manage-tournament  post
tournaments:change_sessions         manage-tournament  post
tournaments:change_entering         manage-tournament  post
tournaments:change_tables           manage-tournament  post
tournaments:change_live_delay       manage-tournament  post
tournaments:forecast                manage-tournament
tournaments:draw                    manage-tournament
tournaments:draw_draft              manage-tournament  post
tournaments:draw_again              manage-tournament  post
tournaments:draw_discard            manage-tournament  post
tournaments:draw_publish            manage-tournament  post
tournaments:draw_publish_all        manage-tournament  post
tournaments:draw_take_back          manage-tournament  post
tournaments:draw_swap               manage-tournament  post
tournaments:draw_wish               manage-tournament  post
tournaments:draw_lift               manage-tournament  post
tournaments:draw_away               manage-tournament  post
tournaments:draw_back               manage-tournament  post
tournaments:table_manifest          everybody
tournaments:table_shell             everybody
tournaments:table_worker            everybody
tournaments:record_account          everybody
tournaments:record_manifest         everybody
tournaments:record_shell            everybody
tournaments:record_worker           everybody
tournaments:links                   manage-tournament
tournaments:links_make              manage-tournament  post
tournaments:link_change             manage-tournament  post
tournaments:links_extend            manage-tournament  post
tournaments:prints                  manage-tournament
tournaments:print                   manage-tournament
tournaments:settings                manage-tournament
tournaments:change_description      manage-tournament  post
tournaments:change_scoring          manage-tournament  post
tournaments:manage                  manage-tournament
tournaments:upload                  upload
tournaments:room                    record-deal
tournaments:find_match              record-deal
tournaments:turn_clock              manage-tournament  post
tournaments:match_state             record-deal        post
tournaments:dispute                 rule
tournaments:results                 record-deal
tournaments:slip                    record-deal
tournaments:slips                   record-deal
tournaments:results_file            upload
tournaments:results_file_save       upload             post
tournaments:results_empty_csv       upload
tournaments:results_empty_xlsx      upload
tournaments:results_csv             view-tournament
tournaments:results_xlsx            view-tournament
tournaments:entries_manage          manage-tournament
tournaments:entries_search          manage-tournament
tournaments:entries_add             manage-tournament  post
tournaments:entries_file            manage-tournament
tournaments:entries_file_save       manage-tournament  post
tournaments:entries_csv             manage-tournament
tournaments:entries_xlsx            manage-tournament
tournaments:entries_seeds           manage-tournament
tournaments:entries_check_in        manage-tournament
tournaments:entries_absent          manage-tournament  post
tournaments:entries_clear           manage-tournament  post
tournaments:entry_check             manage-tournament  post
tournaments:entry_answer            manage-tournament  post
tournaments:entry_manage            manage-tournament
tournaments:entry_change            manage-tournament  post
tournaments:entry_replace           manage-tournament  post
tournaments:entry_withdraw          manage-tournament  post
tournaments:entry_readmit           manage-tournament  post
tournaments:entry_remove            manage-tournament  post
tournaments:entry_absence           manage-tournament  post
tournaments:entry_presence          manage-tournament  post
tournaments:entry_substitute        manage-tournament  post
tournaments:entry_substitute_back   manage-tournament  post
tournaments:rulings_manage          rule
tournaments:ruling_choose           rule
tournaments:rule_on_deal            rule
tournaments:rule_on_match           rule
tournaments:rule_on_entry           rule
tournaments:ruling_back             rule
tournaments:appeal_lodge            rule               post
tournaments:appeal_decide           rule               post
tournaments:closing                 manage-tournament
tournaments:close_round             manage-tournament  post
tournaments:reopen_round            manage-tournament  post
tournaments:close_results           manage-tournament  post
tournaments:make_official           manage-tournament  post
tournaments:make_final              manage-tournament  post
tournaments:reopen                  manage-tournament  post
tournaments:webhooks                manage-webhooks
tournaments:webhook                 manage-webhooks
tournaments:webhook_change          manage-webhooks    post
tournaments:webhook_do              manage-webhooks    post
scoring:scoresheet                  view-tournament
scoring:scoresheet_pcn              view-tournament
scoring:record                      record-deal
scoring:deal                        view-tournament
scoring:deal_pcn                    view-tournament
scoring:deal_pbn                    view-tournament
scoring:deal_svg                    view-tournament
scoring:deal_png                    view-tournament
scoring:deal_embed                  public-only
scoring:deal_analysis               view-tournament    sign-in post
scoring:correct                     correct-deal
scoring:void                        correct-deal
scoring:rule                        rule
scoring:player                      view-tournament
scoring:partnership                 view-tournament
scoring:search                      everybody
scoring:my_people                   signed-in
scoring:person_claim                view-tournament    sign-in post
scoring:person_ask                  own-player         post
scoring:person_hide                 own-or-managed     post
scoring:person_anonymise            manage-club        post
scoring:person_take_back            signed-in          post
scoring:person_answer               manage-people      post
scoring:person_undo                 manage-people      post
scoring:club_people                 manage-people
scoring:club_people_merge           manage-people      post
scoring:statistics                  everybody
scoring:statistics_players          everybody
scoring:statistics_hall             everybody
scoring:club_statistics             view-club
scoring:club_statistics_players     view-club
scoring:club_statistics_hall        view-club
scoring:games                       record-game
scoring:game                        own-game
scoring:game_describe               own-game           post
scoring:game_link                   own-game           post
scoring:game_offer                  own-game           post
scoring:game_put_away               own-game           post
scoring:shared                      everybody
scoring:shared_pcn                  everybody
scoring:shared_deal                 everybody
scoring:shared_deal_pcn             everybody
scoring:shared_deal_pbn             everybody
scoring:shared_deal_svg             everybody
scoring:shared_deal_png             everybody
scoring:club_ratings                view-club
scoring:club_games                  take-game
scoring:game_take                   take-game          post
scoring:game_decline                take-game          post
api-index                           everybody
api-clubs                           everybody
api-club                            view-club
api-club-ratings                    view-club
api-players                         everybody
api-player                          view-tournament
api-player-history                  view-tournament
api-player-rating                   view-tournament
api-partnerships                    everybody
api-partnership                     view-tournament
api-partnership-record              view-tournament
api-partnership-rating              view-tournament
api-scoresheets                     everybody
api-scoresheet                      view-tournament
api-scoresheet-deals                view-tournament
api-game-facts                      own-game           put
api-game-link                       own-game           put
api-game-offer                      own-game           put
api-deals                           everybody
api-deal                            view-tournament
api-deal-replay                     view-tournament
api-deal-analysis                   view-tournament
api-deal-revisions                  view-tournament
api-statistics                      everybody
api-statistics-players              everybody
api-statistics-hall                 everybody
api-club-statistics                 view-club
api-club-statistics-players         view-club
api-club-statistics-hall            view-club
api-check                           everybody          post
api-tournaments                     everybody
api-tournament                      view-tournament
api-standings                       view-tournament
api-crosstable                      view-tournament
api-archive                         view-tournament
api-archive-schema                  everybody
api-club-archives                   manage-tournament  post json
api-tournament-events               view-tournament
api-tournament-scoresheets          view-tournament
api-tournament-deals                view-tournament
api-tournament-entries              manage-tournament  post json
api-tournament-sessions             view-tournament
api-tournament-rounds               manage-tournament  post json
api-sessions                        everybody
api-session                         view-tournament
api-rounds                          everybody
api-round                           view-tournament
api-matches                         everybody
api-match                           view-tournament
api-table                           at-a-table
api-table-confirmations             at-a-table         post json
api-table-live                      at-a-table         post json
api-sync                            in-or-at-a-table   post json
api-schema                          everybody
api-docs                            everybody
api-without-slash                   everybody
"""

WRITING: Final = """
api-clubs                           create-club        post
api-club                            manage-club        patch
api-players                         record-deal        post
api-partnerships                    record-deal        post
api-tournaments                     manage-tournament  post
api-tournament                      manage-tournament  patch
api-tournament-sessions             manage-tournament  put
api-round                           manage-tournament  put
api-match                           record-deal        put
api-scoresheets                     record-game        post
api-game-link                       own-game           delete
api-game-offer                      own-game           delete
api-scoresheet-deals                record-deal        post
api-deal-revisions                  correct-deal       post
api-deal-analysis                   view-tournament    post
"""
"""What the API takes beside what it shows: the row is found by the address and by how it is asked."""

SOCKETS: Final = """
ws/tournaments/<slug:slug>/         view-tournament
ws/tournaments/<slug:slug>/room/    record-deal
ws/tournaments/<slug:slug>/events/  view-tournament    token
ws/tournaments/<slug:slug>/tables/<path:table>/ view-tournament
"""
"""The sockets, by their addresses; ``token``: who follows may be a program with one. To any other address nobody
is let in."""
