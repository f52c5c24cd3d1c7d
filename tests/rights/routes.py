"""Every address of the site, and what whoever asks for it must be allowed to do. A new one without a row fails.

A row is the route's name, the action (of :class:`Action`, or ``everybody``, ``signed-in``, ``at-a-table``,
``in-or-at-a-table`` or ``own-game``), and how it is asked where that is not by GET. Routes of libraries are named as a whole, with
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
scoring:scoresheet                  view-tournament
scoring:scoresheet_pcn              view-tournament
scoring:record                      record-deal
scoring:deal                        view-tournament
scoring:deal_pcn                    view-tournament
scoring:correct                     correct-deal
scoring:void                        correct-deal
scoring:rule                        rule
scoring:player                      view-tournament
scoring:partnership                 view-tournament
scoring:games                       record-game
scoring:game                        own-game
scoring:game_describe               own-game           post
scoring:game_link                   own-game           post
scoring:game_offer                  own-game           post
scoring:game_put_away               own-game           post
scoring:shared                      everybody
scoring:shared_pcn                  everybody
scoring:shared_deal                 everybody
scoring:club_games                  take-game
scoring:game_take                   take-game          post
scoring:game_decline                take-game          post
api-index                           everybody
api-clubs                           everybody
api-club                            view-club
api-players                         everybody
api-player                          view-tournament
api-player-history                  view-tournament
api-partnerships                    everybody
api-partnership                     view-tournament
api-partnership-record              view-tournament
api-scoresheets                     everybody
api-scoresheet                      view-tournament
api-scoresheet-deals                view-tournament
api-game-facts                      own-game           put
api-game-link                       own-game           put
api-game-offer                      own-game           put
api-deals                           everybody
api-deal                            view-tournament
api-deal-revisions                  view-tournament
api-check                           everybody          post
api-tournaments                     everybody
api-tournament                      view-tournament
api-standings                       view-tournament
api-crosstable                      view-tournament
api-tournament-scoresheets          view-tournament
api-tournament-deals                view-tournament
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
api-scoresheets                     record-game        post
api-game-link                       own-game           delete
api-game-offer                      own-game           delete
api-scoresheet-deals                record-deal        post
api-deal-revisions                  correct-deal       post
"""
"""What the API takes beside what it shows: the row is found by the address and by how it is asked."""

SOCKETS: Final = """
ws/tournaments/<slug:slug>/         view-tournament
ws/tournaments/<slug:slug>/room/    record-deal
ws/tournaments/<slug:slug>/tables/<path:table>/ view-tournament
"""
"""The sockets, by their addresses. To any other address nobody is let in."""
